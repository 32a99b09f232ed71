import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addClient } from '../../auth/clients.ts';
import { recordFigure } from '../../faults/figures.ts';
import { send } from '../../testing/http-client.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { createServed, type Served } from '../../testing/serve.ts';
import { requestToken } from '../../testing/test-service.ts';

/** As many streams as one process has, half of each of two providers: docs/decisions/0050-events.md. */

const listenersOfEach = 500;
/** Of a provider: one has half of its streams at most. */
const clientsOfEach = 2;
const opensAtOnce = 25;
const eventsOfEach = 200;
/** More than the sockets of a stream hold, and what may wait for it. */
const largeEvents = 2_000;
const largeText = 'x'.repeat(10_000);
const patience = { timeout: 180_000, interval: 100 };

type Access = {
  provider: string;
  path: string;
  clients: { clientId: string; clientSecret: string }[];
  /** Of the clients, in turn. */
  tokens: string[];
};

let served: Served;
let service: Awaited<ReturnType<Served['start']>>;
let fleets: Access[];

beforeAll(async () => {
  served = await createServed();
  service = await served.start();
  fleets = await Promise.all(['DE-ABC', 'FR-XYZ'].map(openFleet));
});
afterAll(() => served.close());

async function openFleet(provider: string): Promise<Access> {
  const [countryCode = '', code = ''] = provider.split('-');
  await makeFleet(served.db, countryCode, code, 10);
  const clients = [];
  for (let client = 0; client < clientsOfEach; client++) {
    const { id, secret = '' } = await addClient(served.db, provider, {
      name: `listener ${client}`,
    });
    clients.push({ clientId: id, clientSecret: secret });
  }
  const fleet = { provider, path: `/api/fleets/v1/${countryCode}/${code}`, clients, tokens: [] };
  await renewTokens(fleet);
  return fleet;
}

/** A token lives five minutes. */
async function renewTokens(fleet: Access): Promise<void> {
  const answers = await Promise.all(
    fleet.clients.map((client) => requestToken(service.url, fleet.provider, client)),
  );
  fleet.tokens = answers.map(({ json }) => json.access_token);
}

/** That of the next client. */
function nextToken({ tokens }: Access): string {
  const token = tokens.shift() ?? '';
  tokens.push(token);
  return token;
}

type Listener = {
  /** The numbers of the events, in the order in which they came. */
  numbers: number[];
  /** Where the stream began. */
  position: number;
  /** Of another provider than that of the stream. */
  foreign: number;
  heartbeats: number;
  isClosed: boolean;
  pause(): void;
  resume(): void;
  close(): void;
};

function listen(fleet: Access, query: string, headers = {}): Promise<Listener> {
  const { hostname, port } = new URL(service.url);
  const authorization = `Bearer ${nextToken(fleet)}`;
  const path = `${fleet.path}/events?${query}`;
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path, agent: false, headers: { authorization, ...headers } };
    const outgoing = request(options, (incoming) => {
      const listener: Listener = {
        numbers: [],
        position: Number.NaN,
        foreign: 0,
        heartbeats: 0,
        isClosed: false,
        pause: () => incoming.pause(),
        resume: () => incoming.resume(),
        close: () => outgoing.destroy(),
      };
      if (incoming.statusCode !== 200) reject(new Error(`answered ${incoming.statusCode}`));
      let rest = '';
      incoming.setEncoding('latin1').on('data', (text: string) => {
        const blocks = (rest + text).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) take(listener, fleet, block);
        if (!Number.isNaN(listener.position)) resolve(listener);
      });
      incoming
        .on('error', () => {})
        .on('close', () => {
          listener.isClosed = true;
        });
    });
    outgoing.on('error', reject).end();
  });
}

function take(listener: Listener, { path }: Access, block: string): void {
  const id = Number(/^id: (\d+)$/m.exec(block)?.[1]);
  if (block.includes('\ndata: ')) {
    listener.numbers.push(id);
    if (!block.includes(`"source":"${path}"`)) listener.foreign += 1;
  } else if (block.startsWith(': heartbeat')) listener.heartbeats += 1;
  else listener.position = id;
}

async function openMany(fleet: Access, count: number, query: string): Promise<Listener[]> {
  const opened: Listener[] = [];
  while (opened.length < count) {
    const some = Array.from({ length: Math.min(opensAtOnce, count - opened.length) }, () =>
      listen(fleet, query),
    );
    opened.push(...(await Promise.all(some)));
  }
  return opened;
}

async function writeVehicles(fleet: Access): Promise<void> {
  const { path, provider } = fleet;
  const authorization = `Bearer ${nextToken(fleet)}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const id = `${provider.replace('-', '*')}*LISTENED`;
  for (let seats = 1; seats <= eventsOfEach; seats += 1) {
    const body = JSON.stringify({ information: { seats } });
    const { status } = await send(service.url, {
      method: 'PUT',
      path: `${path}/${id}`,
      headers,
      body,
    });
    expect(status).toBeLessThan(300);
  }
}

/** Of the service, in seconds. */
function processorTime(): number {
  const fields = readFileSync(`/proc/${service.pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const residentBytes = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) * 1_024;

/** What the log has behind a position, of kinds of events. */
async function loggedBehind({ provider }: Access, position: number, types: readonly string[]) {
  const rows = await served.db.query<{ number: number }>(
    `select number from event_log where provider = $1 and number > $2 and type = any($3) order by number`,
    [provider, position, types],
  );
  return rows.map(({ number }) => number);
}

test('a thousand listeners of two providers get every event of theirs once and in order, and heartbeats; one more is refused', async () => {
  const types = ['vehicle.created.v1', 'vehicle.updated.v1'];
  const query = `types=${types}`;
  await Promise.all(fleets.map((fleet) => listen(fleet, query).then(({ close }) => close())));
  const before = residentBytes();
  const groups = await Promise.all(
    fleets.map(async (fleet) => ({
      fleet,
      listeners: await openMany(fleet, listenersOfEach, query),
    })),
  );
  const opened = residentBytes();
  for (const { fleet } of groups)
    await expect(listen(fleet, query)).rejects.toThrow('answered 429');
  const all = groups.flatMap(({ listeners }) => listeners);

  const begunAt = performance.now();
  const usedBefore = processorTime();
  const written = Promise.all(fleets.map(writeVehicles)).then(() => performance.now());
  await expect
    .poll(() => all.filter(({ numbers }) => numbers.length < eventsOfEach).length, patience)
    .toBe(0);
  const receivedAt = performance.now();
  const used = processorTime() - usedBefore;
  const writtenAt = await written;
  await expect
    .poll(() => all.filter(({ heartbeats }) => heartbeats === 0).length, patience)
    .toBe(0);

  for (const { fleet, listeners } of groups) {
    const [first] = listeners;
    const logged = await loggedBehind(fleet, first?.position ?? 0, types);
    expect(logged).toHaveLength(eventsOfEach);
    for (const { numbers, foreign, isClosed } of listeners) {
      expect(numbers).toEqual(logged);
      expect([foreign, isClosed]).toEqual([0, false]);
    }
  }
  const kib = (bytes: number) => `${(bytes / 1_024).toFixed(1)} KiB`;
  console.log(`  ${all.length} listeners, ${eventsOfEach} events of each of two providers`);
  console.log(`  resident memory before        ${kib(before)}`);
  console.log(`  of each listener, opened      ${kib((opened - before) / all.length)}`);
  console.log(`  of each listener, served      ${kib((residentBytes() - before) / all.length)}`);
  console.log(`  writing took                  ${((writtenAt - begunAt) / 1_000).toFixed(2)} s`);
  console.log(`  processor time of the service ${used.toFixed(2)} s`);
  console.log(`  the last had all after that   ${(receivedAt - writtenAt).toFixed(0)} ms`);

  recordFigure(
    'listeners of events',
    `${all.length}; ${kib((residentBytes() - before) / all.length)} each; the last had all events ${(receivedAt - writtenAt).toFixed(0)} ms after the last write`,
  );
  for (const { close } of all) close();
});

test('one that does not read is closed, and resumes; the others get everything meanwhile', async () => {
  const [fleet] = fleets;
  if (!fleet) throw new Error('there is no fleet');
  await renewTokens(fleet);
  await insertIncidents(fleet);
  const types = ['incident.updated.v1'];
  const query = `types=${types}`;
  const readers = await openMany(fleet, 9, query);
  const stalled = await listen(fleet, query);
  stalled.pause();
  const before = residentBytes();
  await served.db.query('update incidents set description = $1', [largeText]);
  await expect
    .poll(() => readers.filter(({ numbers }) => numbers.length < largeEvents).length, patience)
    .toBe(0);
  const held = residentBytes() - before;
  const logged = await loggedBehind(fleet, stalled.position, types);
  expect(logged).toHaveLength(largeEvents);
  for (const { numbers } of readers) expect(numbers).toEqual(logged);

  stalled.resume();
  await expect.poll(() => stalled.isClosed, patience).toBe(true);
  expect(stalled.numbers.length).toBeLessThan(largeEvents);
  const last = String(stalled.numbers.at(-1) ?? stalled.position);
  const resumed = await listen(fleet, query, { 'last-event-id': last });
  await expect
    .poll(() => stalled.numbers.length + resumed.numbers.length, patience)
    .toBe(largeEvents);
  expect([...stalled.numbers, ...resumed.numbers]).toEqual(logged);
  recordFigure(
    'listener that does not read',
    `closed after ${stalled.numbers.length} of ${largeEvents} events of 10 kB; ${(held / 1_048_576).toFixed(1)} MiB more memory meanwhile`,
  );
  for (const { close } of [...readers, resumed]) close();
});

async function insertIncidents(fleet: Access): Promise<void> {
  const { path } = fleet;
  const headers = {
    authorization: `Bearer ${nextToken(fleet)}`,
    'content-type': 'application/json',
  };
  const [countryCode, code] = path.split('/').slice(-2);
  const body = JSON.stringify({ title: 'Large', vehicleOperable: true, isResolved: false });
  const { status } = await send(service.url, {
    method: 'POST',
    path: `${path}/${countryCode}*${code}*T0000/incidents`,
    headers,
    body,
  });
  expect(status).toBe(201);
  const columns =
    'provider, vehicle_id, title, vehicle_operable, report_timestamp, updated_at, is_resolved';
  await served.db.query(
    `insert into incidents (${columns}) select ${columns} from incidents, generate_series(2, $1)`,
    [largeEvents],
  );
}
