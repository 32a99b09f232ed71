import pg from 'pg';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { Overloaded } from '../../../platform/db/admission-queue.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { tooExpensive } from '../../../platform/http/problem.ts';
import { messagesByResult } from '../../../platform/mqtt/mqtt-metrics.ts';
import { lockWaits } from '../../../testing/lock-waits.ts';
import { startTestService, type TestService } from '../../../testing/test-service.ts';
import { type DeliveryReceiver, receiveDeliveries } from './receive-deliveries.ts';
import { deferDeliveries } from './store-deferred-messages.ts';

let service: TestService;
let receiver: DeliveryReceiver;
let log: { details: object; message: string }[];

const vehicles = ['DE*ABC*V1', 'DE*ABC*V2'];
const otherVehicle = 'FR*XYZ*V1';

beforeAll(async () => {
  service = await startTestService();
  for (const [index, vehicle] of vehicles.entries()) {
    await service.call('PUT', `/${vehicle}`, { information: {} });
    await service.call('PUT', `/databoxes/BX-${index}`, { vehicleId: vehicle });
  }
  const headers = {
    authorization: `Bearer ${await service.token('FR-XYZ')}`,
    'content-type': 'application/json',
  };
  const put = (path: string, body: object) =>
    service.send({
      method: 'PUT',
      path: `/api/fleets/v1/FR/XYZ${path}`,
      headers,
      body: JSON.stringify(body),
    });
  await put(`/${otherVehicle}`, { information: {} });
  await put('/databoxes/BX-0', { vehicleId: otherVehicle });
  await refuse(666, '23514');
  await service.owner.queryUnprepared(
    'create trigger refusing before insert on vehicle_history for each row execute function refuse()',
  );
});
afterAll(() => service.stop());
beforeEach(() => {
  log = [];
  open({ deferAfterMs: 60_000 });
});
afterEach(async () => {
  await receiver.settle();
  await service.db.query('delete from vehicle_history');
});

function open(
  waits: { deferAfterMs: number; now?: () => number },
  given = service.dependencies,
): void {
  receiver = receiveDeliveries(
    given,
    { warn: (details, message) => void log.push({ details, message }) },
    { firstRetryMs: 500, collectMs: 1, ...waits },
  );
}

const begin = Date.now() - 3_600_000;
let sent = 0;

/** As the broker delivers it. */
function deliver(odometer: number, options: DeliveryOptions = {}) {
  const timestamp = new Date(begin + sent++ * 1_000).toISOString();
  return deliverPayload(JSON.stringify({ timestamp, odometer }), options);
}

/** So large that another one does not fit into its batch. */
function deliverLarge(odometer: number, options: DeliveryOptions = {}) {
  const timestamp = new Date(begin + sent++ * 1_000).toISOString();
  return deliverPayload(
    `[${JSON.stringify({ timestamp, odometer })}]${' '.repeat(600_000)}`,
    options,
  );
}

type DeliveryOptions = {
  serial?: string;
  provider?: string;
  isOpen?: boolean;
  onAcknowledged?: () => void;
};

function deliverPayload(
  payload: string,
  {
    serial = 'BX-0',
    provider = 'DE/ABC',
    isOpen = true,
    onAcknowledged = () => {},
  }: DeliveryOptions = {},
) {
  const delivery = { isAcknowledged: false };
  receiver.receive({
    topic: `motorpool/${provider}/${serial}/messages`,
    payload: Buffer.from(payload),
    isOpen: () => isOpen,
    acknowledge() {
      delivery.isAcknowledged = true;
      onAcknowledged();
    },
  });
  return delivery;
}

/** Makes the database fail to store this odometer alone. */
async function refuse(odometer: number, errorCode: string): Promise<void> {
  await service.owner.queryUnprepared(`
    create or replace function refuse() returns trigger language plpgsql as $$
      begin
        if new.odometer = ${odometer} then raise 'refused' using errcode = '${errorCode}'; end if;
        return new;
      end $$`);
}

const odometersOf = async (provider: string) => {
  const rows = await service.db.query<{ odometer: number }>(
    'select odometer from vehicle_history where provider = $1 order by odometer',
    [provider],
  );
  return rows.map(({ odometer }) => odometer);
};

const acknowledged = (deliveries: { isAcknowledged: boolean }[]) =>
  vi.waitFor(() => expect(deliveries.every(({ isAcknowledged }) => isAcknowledged)).toBe(true), {
    timeout: 20_000,
  });

test('what the database refuses because of its data is rejected alone', async () => {
  const deliveries = [1, 2, 666, 3].map((odometer) => deliver(odometer));
  await acknowledged(deliveries);
  expect(await odometersOf('DE-ABC')).toEqual([1, 2, 3]);
  expect(log).toMatchObject([{ details: { serial: 'BX-0', reason: 'failed' } }]);
});

test('a batch of nothing else is rejected, too, and does not come again and again', async () => {
  await acknowledged([deliver(666), deliver(666, { serial: 'BX-1' })]);
  expect(await odometersOf('DE-ABC')).toEqual([]);
  expect(log).toHaveLength(2);
});

test('a failure that is not of the message leaves it unacknowledged, until it can be stored', async () => {
  await service.owner.queryUnprepared('alter table databoxes rename to elsewhere');
  const delivery = deliver(1);
  await vi.waitFor(() => expect(log).toHaveLength(1), { timeout: 20_000 });
  expect(log[0]?.message).toBe('messages of boxes cannot be stored yet');
  expect(delivery.isAcknowledged).toBe(false);
  await service.owner.queryUnprepared('alter table elsewhere rename to databoxes');
  await acknowledged([delivery]);
  expect(await odometersOf('DE-ABC')).toEqual([1]);
  const deferred = `select from pgboss.job where name = 'store-deferred-messages'`;
  expect(await service.db.query(deferred)).toEqual([]);
});

test.each([
  ['a lost worker', '08006'],
  ['a broken row', 'XX001'],
  ['a parameter of a statement', '22023'],
])(
  'what keeps failing for %s is left to a job and acknowledged, and is stored when it can be',
  async (_, code) => {
    open({ deferAfterMs: 600 });
    await refuse(777, code);
    onTestFinished(() => refuse(666, '23514'));
    await acknowledged([deliver(777), deliver(7, { provider: 'FR/XYZ' })]);
    await acknowledged([deliver(1)]);
    expect(await odometersOf('FR-XYZ')).toEqual([7]);
    expect(await odometersOf('DE-ABC')).toEqual([]);
    expect(log.map(({ message }) => message)).toEqual(['messages of boxes cannot be stored yet']);

    await refuse(666, '23514');
    // Those that were deferred are still tried, so that later ones need no job.
    await expect.poll(() => odometersOf('DE-ABC'), { timeout: 20_000 }).toEqual([777]);
    const deliverAndRead = async () => {
      await acknowledged([deliver(2)]);
      return odometersOf('DE-ABC');
    };
    await expect.poll(deliverAndRead, { timeout: 20_000 }).toContain(2);
    await receiver.settle();
    await service.runJobs();
    expect(new Set(await odometersOf('DE-ABC'))).toEqual(new Set([1, 2, 777]));
  },
);

test('when a database that took no job, either, is back, what came is stored and not deferred', async () => {
  const { jobs } = service.dependencies;
  let refused = 0;
  const add: typeof jobs.add = () => {
    refused += 1;
    return Promise.reject(new Error('away'));
  };
  open({ deferAfterMs: 600 }, { ...service.dependencies, jobs: { add } });
  await refuse(777, '08006');
  onTestFinished(() => refuse(666, '23514'));
  const delivery = deliver(777);
  await vi.waitFor(() => expect(refused).toBeGreaterThan(0), { timeout: 20_000 });
  expect(delivery.isAcknowledged).toBe(false);
  await refuse(666, '23514');
  await acknowledged([delivery]);
  expect(await odometersOf('DE-ABC')).toEqual([777]);
});

test('the messages of a provider are stored while those of another wait', async () => {
  const release = await lockStatuses();
  const waiting = Array.from({ length: 500 }, (_, odometer) => deliver(odometer));
  await acknowledged([deliver(7, { provider: 'FR/XYZ' })]);
  expect(await odometersOf('FR-XYZ')).toEqual([7]);
  expect(waiting.some(({ isAcknowledged }) => isAcknowledged)).toBe(false);
  await release();
  await acknowledged(waiting);
  expect(await odometersOf('DE-ABC')).toHaveLength(500);
});

test('what takes long is left to a job and acknowledged, and what comes after it as well', async () => {
  open({ deferAfterMs: 1 });
  const release = await lockStatuses();
  await acknowledged([deliver(1), deliver(2, { serial: 'BX-1' })]);
  await acknowledged([deliver(3), deliver(4, { serial: 'unknown' })]);
  expect(await odometersOf('DE-ABC')).toEqual([]);
  await release();
  await receiver.settle();
  await service.runJobs();
  expect(await odometersOf('DE-ABC')).toEqual([1, 2, 3]);
  expect(log).toEqual([]);
});

test('batches that take long together are left to jobs, too, and what comes when they have passed is stored', async () => {
  const deliveries: { isAcknowledged: boolean }[] = [];
  open({ deferAfterMs: 60_000, now: () => (deliveries[0]?.isAcknowledged ? 60_000 : 0) });
  const numbers = Array.from({ length: 2_001 }, (_, index) => index + 1_000);
  for (const odometer of numbers) deliveries.push(deliver(odometer));
  await acknowledged(deliveries);
  expect(await odometersOf('DE-ABC')).toEqual(numbers.toSpliced(1_000, 1_000));
  await service.runJobs();
  expect(await odometersOf('DE-ABC')).toEqual(numbers);
});

/** Delivers the numbers as batches, after each of which as much time has passed. */
async function catchUp(batchMs: number, odometers: number[], later: number[] = []) {
  let passed = 0;
  open({ deferAfterMs: 60_000, now: () => passed });
  const deliveries: { isAcknowledged: boolean }[] = [];
  const onAcknowledged = () => {
    passed += batchMs;
    const next = later.shift();
    if (next !== undefined) deliveries.push(deliverLarge(next, { onAcknowledged }));
  };
  for (const odometer of odometers) deliveries.push(deliverLarge(odometer, { onAcknowledged }));
  await vi.waitFor(() => expect(later).toEqual([]), { timeout: 20_000 });
  await acknowledged(deliveries);
}

test('batches that are each stored quickly are all stored at once, however long there are more', async () => {
  await catchUp(19_000, [1, 2, 3, 4], [5, 6, 7, 8, 9]);
  expect(await odometersOf('DE-ABC')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('those that have waited for slow batches are left to jobs, and the next are tried although more has come', async () => {
  await catchUp(50_000, [1, 2, 3, 4], [5, 6]);
  expect(await odometersOf('DE-ABC')).toEqual([1, 5, 6]);
  await service.runJobs();
  expect(await odometersOf('DE-ABC')).toEqual([1, 2, 3, 4, 5, 6]);
});

test('while no more may be left to jobs, what has waited for slow batches is stored', async () => {
  await fillJobs();
  await catchUp(50_000, [1, 2, 3, 4]);
  expect(await odometersOf('DE-ABC')).toEqual([1, 2, 3, 4]);
  expect(log).toEqual([]);
});

test('while no more may be left to jobs, those that waited are tried for no longer than one, as others wait for them', async () => {
  await fillJobs();
  await catchUp(50_000, [1, 2, 3, 4, 5, 6]);
  expect(await odometersOf('DE-ABC')).toEqual([1, 2, 3, 6]);
  expect(log.map(({ details }) => details)).toMatchObject([
    { serial: 'BX-0', reason: 'backlog' },
    { serial: 'BX-0', reason: 'backlog' },
  ]);
});

test('while no more may be left to jobs, what comes is tried, and only what cannot be stored is rejected', async () => {
  await fillJobs();
  open({ deferAfterMs: 2_000 });
  await refuse(777, '08006');
  onTestFinished(() => refuse(666, '23514'));
  await acknowledged([deliver(777)]);
  await acknowledged([deliver(2, { serial: 'BX-1' })]);
  expect(await odometersOf('DE-ABC')).toEqual([2]);
  expect(log.flatMap(({ details }) => ('reason' in details ? [details] : []))).toMatchObject([
    { serial: 'BX-0', reason: 'backlog' },
  ]);
});

test('what costs too much in one transaction is left to jobs, and none is rejected for the others', async () => {
  const serials = ['BX-2', 'BX-3', 'BX-4'];
  for (const serial of serials) {
    await service.call('PUT', `/DE*ABC*${serial}`, { information: {} });
    await service.call('PUT', `/databoxes/${serial}`, { vehicleId: `DE*ABC*${serial}` });
  }
  await acknowledged(serials.map((serial) => deliver(10, { serial })));
  const { events } = service.dependencies;
  const spent = new WeakMap<Queryable, number>();
  const publish: typeof events.publish = async (tx, name, event) => {
    if ('changes' in event) spent.set(tx, (spent.get(tx) ?? 0) + event.changes.length);
    if ((spent.get(tx) ?? 0) > 1) throw tooExpensive('Too much of the history.');
    await events.publish(tx, name, event);
  };
  open({ deferAfterMs: 60_000 }, { ...service.dependencies, events: { ...events, publish } });
  const late = JSON.stringify({ timestamp: new Date(begin - 60_000).toISOString(), odometer: 9 });
  await acknowledged([
    deliverPayload(late, { serial: 'BX-2' }),
    deliverPayload(late, { serial: 'BX-3' }),
    deliver(10, { serial: 'BX-4' }),
  ]);
  expect(log).toEqual([]);
  await service.runJobs();
  expect(await odometersOf('DE-ABC')).toEqual([9, 9, 10, 10, 10, 10]);
});

test('more than a bound is not left to jobs: it is rejected, and that of other providers is not', async () => {
  await fillJobs();
  open({ deferAfterMs: 1 });
  const release = await lockStatuses();
  await acknowledged([deliver(1), deliver(7, { provider: 'FR/XYZ' })]);
  await release();
  await receiver.settle();
  expect(log.map(({ details }) => details)).toMatchObject([
    { provider: 'DE-ABC', serial: 'BX-0', reason: 'backlog' },
  ]);
});

test('a payload that is too large is not left to a job, either', async () => {
  open({ deferAfterMs: 1 });
  const release = await lockStatuses();
  await acknowledged([deliver(1)]);
  await acknowledged([deliverPayload(' '.repeat(1_048_577))]);
  await release();
  await receiver.settle();
  await service.runJobs();
  expect(log).toMatchObject([{ details: { serial: 'BX-0', reason: 'too_large' } }]);
});

test('a transaction has no more messages than a payload may have, and what of a payload is rejected is told together', async () => {
  let transactions = 0;
  const forTenant: typeof service.db.forTenant = (...tenant) => {
    const db = service.db.forTenant(...tenant);
    const transaction: typeof db.transaction = (...work) => {
      transactions += 1;
      return db.transaction(...work);
    };
    return { ...db, transaction };
  };
  const db = { ...service.db, forTenant };
  open({ deferAfterMs: 60_000 }, { ...service.dependencies, db });
  const countRejected = async () => {
    const { values } = await messagesByResult.get();
    return values.find(({ labels }) => labels.reason === 'invalid')?.value ?? 0;
  };
  const before = await countRejected();
  await acknowledged(Array.from({ length: 3 }, () => deliverPayload('0\n'.repeat(6_000))));
  expect(transactions).toBe(3);
  expect(log.map(({ details }) => details)).toMatchObject(
    Array(3).fill({ serial: 'BX-0', reason: 'invalid', count: 6_000 }),
  );
  expect(await countRejected()).toBe(before + 18_000);
});

test('while a provider is disabled, what comes is rejected, and what was acknowledged before is kept', async () => {
  const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
  const payload = Buffer.from(
    JSON.stringify({ timestamp: new Date(begin).toISOString(), odometer: 1 }),
  );
  await deferDeliveries(service.dependencies, provider, [[{ serial: 'BX-0', payload }]]);
  const setDisabled = (time: Date | null) =>
    service.db.query('update providers set disabled_at = $2 where id = $1', [provider.id, time]);
  onTestFinished(async () => void (await setDisabled(null)));
  await setDisabled(new Date());
  await expect(service.runJobs()).rejects.toThrow('DE-ABC is disabled.');
  await acknowledged([deliver(2)]);
  expect(log.map(({ details }) => details)).toMatchObject([{ reason: 'unknown_provider' }]);

  await setDisabled(null);
  await service.db.query(
    `update pgboss.job set state = 'created' where name = 'store-deferred-messages'`,
  );
  await service.runJobs();
  expect(await odometersOf('DE-ABC')).toEqual([1]);
});

test('what the database cannot take as a job, either, stays unacknowledged until it can', async () => {
  const { jobs } = service.dependencies;
  let isAway = true;
  const add: typeof jobs.add = (...added) =>
    isAway ? Promise.reject(new Error('away')) : jobs.add(...added);
  open({ deferAfterMs: 1 }, { ...service.dependencies, jobs: { add } });
  const release = await lockStatuses();
  const delivery = deliver(1);
  await vi.waitFor(() => expect(log).toHaveLength(1), { timeout: 20_000 });
  expect(delivery.isAcknowledged).toBe(false);
  isAway = false;
  await acknowledged([delivery]);
  await release();
  await receiver.settle();
  await service.runJobs();
  expect(await odometersOf('DE-ABC')).toEqual([1]);
});

test('requests that take all connections of their provider do not keep its messages from being stored', async () => {
  const requests = service.db.forTenant('DE-ABC');
  const end = Promise.withResolvers<void>();
  const busy = Array.from({ length: 20 }, () =>
    requests
      .transaction(async (tx) => {
        await tx.query('select 1');
        await end.promise;
      })
      .catch(() => {}),
  );
  await acknowledged([deliver(1), deliver(2)]);
  end.resolve();
  await Promise.all(busy);
  expect(await odometersOf('DE-ABC')).toEqual([1, 2]);
});

test('a batch that gets no connection is tried again as a whole, rather than each of its messages apart', async () => {
  let attempts = 0;
  const refuse = () => {
    attempts += 1;
    return Promise.reject(new Overloaded('tenant'));
  };
  const forTenant = (name: string) => ({ ...service.db.forTenant(name), transaction: refuse });
  const db = { ...service.db, forTenant };
  receiver = receiveDeliveries(
    { ...service.dependencies, db },
    { warn: (details, message) => void log.push({ details, message }) },
  );
  for (const odometer of [1, 2, 3]) deliver(odometer);
  await vi.waitFor(() => expect(log).toHaveLength(1));
  expect(attempts).toBe(1);
});

test('what can no longer be acknowledged is left to the broker, which delivers it again', async () => {
  const gone = deliver(1, { isOpen: false });
  await acknowledged([deliver(2)]);
  expect(gone.isAcknowledged).toBe(false);
  expect(await odometersOf('DE-ABC')).toEqual([2]);
});

test('settling waits for the transaction under way, and begins no other', async () => {
  const release = await lockStatuses();
  const first = deliver(1);
  await vi.waitFor(async () => expect(await lockWaits(service.db)).toBe(1));
  const settled = receiver.settle();
  const late = deliver(2);
  await release();
  await settled;
  expect([first.isAcknowledged, late.isAcknowledged]).toEqual([true, false]);
  expect(await odometersOf('DE-ABC')).toEqual([1]);
});

/** Leaves as many to jobs as a provider may have, until the test has ended. */
async function fillJobs(): Promise<void> {
  const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
  const part = [{ serial: 'BX-0', payload: Buffer.from('{}') }];
  onTestFinished(async () => {
    await service.db.query(`delete from pgboss.job where name = 'store-deferred-messages'`);
  });
  await deferDeliveries(service.dependencies, provider, Array(1_000).fill(part));
}

/** Makes the writers of a provider's telemetry wait. */
async function lockStatuses(): Promise<() => Promise<void>> {
  const blocker = new pg.Client(service.database.connection);
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query(`select 1 from vehicle_statuses where provider = 'DE-ABC' for update`);
  return () => blocker.end();
}
