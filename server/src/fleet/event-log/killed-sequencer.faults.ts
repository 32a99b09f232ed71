import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addClient } from '../../auth/clients.ts';
import { recordFigure } from '../../faults/figures.ts';
import { withoutLimits } from '../../faults/without-limits.ts';
import { send } from '../../testing/http-client.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { createServed, type Served } from '../../testing/serve.ts';
import { requestToken } from '../../testing/test-service.ts';
import { untilDisconnected } from '../../testing/until-disconnected.ts';

/** Whoever reads the log numbers it first: here a process that is killed meanwhile, again and again. */

const rounds = 5;
const writers = 4;
const readers = 2;
const base = '/api/fleets/v1/DE/ABC';

type Service = Awaited<ReturnType<Served['start']>>;
type Write = { title: string; isAcknowledged: boolean };
type LoggedEvent = { id: string; sequence: string; data: { resource: { title: string } } };

let served: Served;
let vehicles: string[];
let credentials: { clientId: string; clientSecret: string };
beforeAll(async () => {
  served = await createServed();
  const { id, secret = '' } = await addClient(served.db, 'DE-ABC', { name: 'writer' });
  credentials = { clientId: id, clientSecret: secret };
  vehicles = (await makeFleet(served.db, 'DE', 'ABC', writers)).map(({ asset }) => asset.id);
});
afterAll(() => served.close());

const post = ({ url, token }: Service, path: string, body: object) =>
  send(url, {
    method: 'POST',
    path: base + path,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function readPage(service: Service, cursor: string) {
  const body = {
    filters: [{ field: 'type', value: 'incident.created.v1' }],
    pagination: { cursor, pageSize: 1_000 },
  };
  const { status, json, text } = await post(service, '/events/search', body);
  expect(status, text).toBe(200);
  return json as {
    items: LoggedEvent[];
    pagination: { cursor: string; hasMore: boolean };
  };
}

/** Reads from the newest on, so that it numbers whatever is committed, until the service is killed. */
async function busyReader(service: Service, onPage: () => void): Promise<void> {
  let cursor = 'latest';
  await untilDisconnected(async () => {
    cursor = (await readPage(service, cursor)).pagination.cursor;
    onPage();
  });
}

async function busyWriter(
  service: Service,
  vehicleId: string,
  writes: Write[],
  stop: AbortSignal,
): Promise<void> {
  for (let number = 0; !stop.aborted; number += 1) {
    const write = { title: `${vehicleId} ${number}`, isAcknowledged: false };
    writes.push(write);
    const incident = { title: write.title, vehicleOperable: true, isResolved: false };
    const { status, text } = await post(service, `/${vehicleId}/incidents`, incident);
    expect(status, text).toBe(201);
    write.isAcknowledged = true;
  }
}

async function readAll(service: Service): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (let cursor = '0', hasMore = true; hasMore; ) {
    const { items, pagination } = await readPage(service, cursor);
    events.push(...items);
    ({ cursor, hasMore } = pagination);
  }
  return events;
}

test(`in ${rounds} rounds of kill -9 of a process that numbers events, none is lost, doubled or passed over`, async () => {
  const writes: Write[] = [];
  const stop = new AbortController();
  const survivor = await served.start(withoutLimits);
  const busy = vehicles.map((id) => busyWriter(survivor, id, writes, stop.signal));
  let pages = 0;
  for (let round = 0; round < rounds; round += 1) {
    const killed = await served.start(withoutLimits);
    // The first would expire.
    survivor.token = (await requestToken(survivor.url, 'DE-ABC', credentials)).json.access_token;
    const enough = pages + randomInt(5, 50);
    const count = () => {
      pages += 1;
    };
    const reading = Array.from({ length: readers }, () => busyReader(killed, count));
    while (pages < enough) await sleep(randomInt(1, 20));
    killed.kill('SIGKILL');
    await killed.ended;
    await Promise.all(reading);
  }
  stop.abort();
  await Promise.all(busy);

  const events = await readAll(survivor);
  const titles = events.map(({ data }) => data.resource.title);
  expect(writes.every(({ isAcknowledged }) => isAcknowledged)).toBe(true);
  expect(titles.toSorted()).toEqual(writes.map(({ title }) => title).sort());
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  // One writer awaits each answer: its events are in the order of its writes.
  for (const vehicleId of vehicles) {
    const own = titles.filter((title) => title.startsWith(`${vehicleId} `));
    expect(own).toEqual(own.map((_, number) => `${vehicleId} ${number}`));
  }
  const [log] = await served.db.query<{ numbers: number; newest: number; counted: number }>(
    `select count(*)::int as numbers, max(number)::int as newest, (
       select last_number::int from event_sequences where provider = 'DE-ABC'
     ) as counted from event_log where provider = 'DE-ABC'`,
  );
  expect(log).toEqual({ numbers: log?.newest, newest: log?.newest, counted: log?.newest });
  const [left] = await served.db.query(`select 1 from event_outbox where provider = 'DE-ABC'`);
  expect(left).toBeUndefined();
  recordFigure(
    'process that numbers events killed',
    `${rounds} kills, ${pages} pages read by those killed, ${writes.length} writes, ${log?.numbers} events`,
  );
  survivor.kill();
  await survivor.ended;
});
