import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addClient } from '../../auth/clients.ts';
import { requestToken, startTestService, type TestService } from '../../testing/test-service.ts';
import { maxListenersOfClient } from './event-streams.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  for (const name of ['S0001', 'S0002']) await putVehicle(name, 1);
});
afterAll(() => service.stop());

const open = new Set<ClientRequest>();
afterEach(() => {
  for (const stream of open) stream.destroy();
  open.clear();
});

// biome-ignore lint/suspicious/noExplicitAny: events of every shape.
type Received = { id?: string; event?: string; data?: any };

/** A client that reads the stream block by block. */
async function listen(query = '', headers: Record<string, string> = {}, at = service) {
  const { hostname, port } = new URL(at.url);
  const events: Received[] = [];
  const blocks: string[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const token = await service.token();
  const status = await new Promise<number>((resolve, reject) => {
    const path = `/api/fleets/v1/DE/ABC/events${query}`;
    const authorization = `Bearer ${token}`;
    const sent = request(
      { hostname, port, path, agent: false, headers: { authorization, ...headers } },
      (response) => {
        let rest = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          const parts = `${rest}${text}`.split('\n\n');
          rest = parts.pop() ?? '';
          for (const block of parts) {
            blocks.push(block);
            if (block.includes('data: ')) events.push(parse(block));
          }
        });
        response.on('close', end).on('error', () => {});
        resolve(response.statusCode ?? 0);
      },
    );
    open.add(sent.on('error', reject));
    sent.end();
  });
  await expect.poll(() => status !== 200 || blocks.length > 0).toBe(true);
  return {
    status,
    events,
    blocks,
    ended,
    types: () => events.map(({ event }) => event),
    lastId: () => /id: (\d+)/.exec(blocks.findLast((block) => block.includes('id: ')) ?? '')?.[1],
    close: () => [...open].at(-1)?.destroy(),
  };
}

function parse(block: string): Received {
  const fields = Object.fromEntries(
    block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  return { ...fields, data: JSON.parse(fields.data ?? 'null') };
}

async function putVehicle(name: string, seats: number): Promise<void> {
  const { status } = await service.call('PUT', `/DE*ABC*${name}`, { information: { seats } });
  expect(status).toBeLessThan(300);
}

const onlyVehicles = '?types=vehicle.created.v1,vehicle.updated.v1,vehicle.deleted.v1';

test('sends what is committed from then on, as the search answers it', async () => {
  const stream = await listen(onlyVehicles);
  await putVehicle('S0001', 2);
  await expect.poll(() => stream.types()).toEqual(['vehicle.updated.v1']);
  const { json } = await service.call('POST', '/events/search', {
    pagination: { cursor: String(Number(stream.events[0]?.id) - 1) },
  });
  expect(stream.events[0]?.data).toEqual(json.items[0]);
});

test('resumes behind Last-Event-ID without a gap or a double, also one that has received no event', async () => {
  const first = await listen(onlyVehicles);
  const idOfBeginning = first.lastId() ?? '';
  await putVehicle('S0001', 3);
  await expect.poll(() => first.events.length).toBe(1);
  first.close();
  await putVehicle('S0001', 4);
  await putVehicle('S0002', 4);
  const resumed = await listen(onlyVehicles, { 'last-event-id': first.events[0]?.id ?? '' });
  await putVehicle('S0002', 5);
  await expect.poll(() => resumed.events.length).toBe(3);
  const whole = await listen(onlyVehicles, { 'last-event-id': idOfBeginning });
  await expect.poll(() => whole.events.length).toBe(4);
  expect([...first.events, ...resumed.events]).toEqual(whole.events);
});

test('begins behind a cursor, and answers 410 for one that has expired', async () => {
  const { json } = await service.call('POST', '/events/search', {
    pagination: { cursor: 'latest' },
  });
  await putVehicle('S0001', 6);
  const stream = await listen(`${onlyVehicles}&cursor=${json.pagination.cursor}`);
  await expect.poll(() => stream.events.length).toBe(1);
  expect((await listen('?cursor=999999999')).status).toBe(410);
  expect((await listen('', { 'last-event-id': '999999999' })).status).toBe(410);
  expect((await listen('', { 'last-event-id': 'one' })).status).toBe(400);
});

test('a client has so many streams open at most, and leaves room for others, also of its provider', async () => {
  const streams = Array.from({ length: maxListenersOfClient + 1 }, () => listen(onlyVehicles));
  const statuses = (await Promise.all(streams)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  const { id, secret = '' } = await addClient(service.db, 'DE-ABC', { name: 'Another' });
  const another = { clientId: id, clientSecret: secret };
  const { access_token: token } = (await requestToken(service.url, 'DE-ABC', another)).json;
  for (const [path, bearer] of [
    ['DE/ABC', token],
    ['FR/XYZ', await service.token('FR-XYZ')],
  ]) {
    const other = request(`${service.url}/api/fleets/v1/${path}/events`, {
      agent: false,
      headers: { authorization: `Bearer ${bearer}` },
    });
    open.add(other.end());
    const [response] = await once(other, 'response');
    expect(response.statusCode).toBe(200);
  }
  for (const stream of open) stream.destroy();
  await expect.poll(async () => (await listen(onlyVehicles)).status).toBe(200);
});

test('filters by type and vehicle', async () => {
  const incidents = await listen('?types=incident.created.v1&vehicleIds=DE*ABC*S0002');
  const vehicle = await listen('?vehicleIds=DE*ABC*S0002,DE*ABC*S0009');
  const incident = { title: 'Scraped', vehicleOperable: true, isResolved: false };
  await service.call('POST', '/DE*ABC*S0001/incidents', incident);
  await service.call('POST', '/DE*ABC*S0002/incidents', incident);
  await putVehicle('S0002', 7);
  await expect.poll(() => vehicle.types()).toEqual(['incident.created.v1', 'vehicle.updated.v1']);
  expect(incidents.types()).toEqual(['incident.created.v1']);
  expect(incidents.events[0]?.data?.vehicleid).toBe('DE*ABC*S0002');
  expect((await listen('?types=incident.gone.v1')).status).toBe(400);
});

test('many listeners get the same events in the same order', async () => {
  const streams = await Promise.all(Array.from({ length: 50 }, () => listen(onlyVehicles)));
  for (let seats = 10; seats < 20; seats += 1) await putVehicle('S0001', seats);
  for (const stream of streams) await expect.poll(() => stream.events.length).toBe(10);
  const [first] = streams;
  for (const stream of streams) expect(stream.events).toEqual(first?.events);
});

describe('the stream ends', () => {
  test('when its token is revoked', async () => {
    const { json: client } = await service.call('POST', '/administration/clients', {
      name: 'listener',
      role: 'viewer',
    });
    const token = await fetch(`${service.url}/realms/DE-ABC/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client.id,
        client_secret: client.secret,
      }),
    });
    const { access_token } = (await token.json()) as { access_token: string };
    const stream = await listen('', { authorization: `Bearer ${access_token}` });
    expect(stream.status).toBe(200);
    await service.call('POST', `/administration/clients/${client.id}/disable`);
    await stream.ended;
  });

  test('when the service stops, and goes on in another process', async () => {
    const other = await startTestService({
      database: service.database,
      publicUrl: service.url,
    });
    const stream = await listen(onlyVehicles, {}, other);
    expect(stream.status).toBe(200);
    await putVehicle('S0001', 30);
    await expect.poll(() => stream.events.length).toBe(1);
    const stopped = other.stop();
    await stream.ended;
    await stopped;
    await putVehicle('S0001', 31);
    const resumed = await listen(onlyVehicles, { 'last-event-id': stream.lastId() ?? '' });
    await expect.poll(() => resumed.events.length).toBe(1);
  });
});

describe('vehicle.status.v1', () => {
  test('tells the newest status of vehicles that report, also to another process, and at most once a second', async () => {
    const other = await startTestService({ database: service.database, publicUrl: service.url });
    const stream = await listen('?types=vehicle.status.v1&vehicleIds=DE*ABC*S0001', {}, other);
    let odometer = 100;
    const report = async (name: string) => {
      odometer += 1;
      await service.call('PUT', `/DE*ABC*${name}/status`, {
        timestamp: new Date().toISOString(),
        odometer,
      });
    };
    // Until the process that takes the messages has learnt that somebody listens.
    await expect
      .poll(
        async () => {
          await report('S0002');
          await report('S0001');
          return stream.events.length;
        },
        { timeout: 15_000, interval: 200 },
      )
      .toBeGreaterThan(0);
    expect(stream.types()).toEqual(stream.events.map(() => 'vehicle.status.v1'));
    const [first] = stream.events;
    expect(first?.id).toBeUndefined();
    expect(first?.data).toMatchObject({
      type: 'vehicle.status.v1',
      vehicleid: 'DE*ABC*S0001',
      subject: '/DE*ABC*S0001',
      data: { resource: { odometer: expect.any(Number) } },
    });
    for (let count = 0; count < 20; count += 1) await report('S0001');
    const last = odometer;
    const newest = () => stream.events.at(-1)?.data?.data?.resource?.odometer;
    await expect.poll(newest, { timeout: 10_000 }).toBe(last);
    expect(stream.events.length).toBeLessThan(20);
    stream.close();
    await other.stop();
  }, 60_000);

  test('writes nothing while nobody listens', async () => {
    for (const stream of open) stream.destroy();
    const watchers = () =>
      service.db.query('select 1 from status_watchers where watches_until > now()');
    await expect.poll(watchers).toEqual([]);
    const changes = async () => {
      await service.db.query('delete from status_changes');
      await service.call('PUT', '/DE*ABC*S0001/status', {
        timestamp: new Date().toISOString(),
        odometer: 5_000,
      });
      return service.db.query('select 1 from status_changes');
    };
    // A process asks once a second who listens.
    await expect.poll(changes).toEqual([]);
  });
});
