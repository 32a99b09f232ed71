import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { lockSequence } from '../../platform/event-log/sequence-events.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import {
  eventually,
  incident,
  renderEvents,
  startReceiver,
  useWebhooks,
} from '../../testing/webhook-receivers.ts';
import { type LeasedWebhook, releaseWebhook, takeDue } from './delivery-store.ts';

/** No receiver, webhook or provider delays others, or costs more than its share. */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const {
  errors,
  startDelivererWith,
  stopDeliverers,
  createVehicle,
  createIncident,
  createWebhook,
  deliveriesOf,
  otherProvider,
} = useWebhooks(() => service);

test('a receiver that does not answer delays no other', async () => {
  const slow = await startReceiver(() => 'never');
  const quick = await startReceiver();
  await createVehicle('SLOW');
  await createWebhook({ url: slow.url, types: ['incident.created.v1'] });
  await createWebhook({ url: quick.url, types: ['incident.created.v1'] });
  await createIncident('SLOW', 'one');
  await eventually(() => expect(slow.received).toHaveLength(1));
  await createIncident('SLOW', 'two');
  await eventually(() => expect(quick.received).toHaveLength(2));
  expect(slow.received).toHaveLength(1);
  slow.close();
});

test('the receivers of a provider, however many do not answer, delay those of no other', async () => {
  await stopDeliverers();
  const slow = await startReceiver(() => 'never');
  const quick = await startReceiver();
  const types = ['vehicle.created.v1'];
  for (let index = 0; index < 5; index++) await createWebhook({ url: slow.url, types });
  const other = await otherProvider();
  await other('POST', '/webhooks', { url: quick.url, types });
  startDelivererWith({ atOnce: { ofProvider: 1, shared: 2 } });
  await createVehicle('MANYSLOW');
  await eventually(() => expect(slow.received).toHaveLength(3));
  await other('PUT', '/FR*XYZ*QUICK', { information: {} });
  await eventually(() => expect(quick.received).toHaveLength(1));
  expect(
    await service.db.query('select from webhook_deliveries where tries > 0 and provider = $1', [
      'DE-ABC',
    ]),
  ).toEqual([]);
  expect(slow.received).toHaveLength(3);
  slow.close();
});

test('a provider whose log is locked delays the webhooks of no other', async () => {
  const receiver = await startReceiver();
  const other = await otherProvider();
  const { status } = await other('POST', '/webhooks', { url: receiver.url });
  expect(status).toBe(201);
  await createWebhook({ url: receiver.url, types: ['vehicle.created.v1'] });
  await service.db.transaction(async (tx) => {
    await tx.query(lockSequence, ['FR-XYZ']);
    await other('PUT', '/FR*XYZ*LOCKED', { information: {} });
    await createVehicle('UNLOCKED');
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect(receiver.received[0]?.event.vehicleid).toBe('DE*ABC*UNLOCKED');
  });
  await eventually(() => expect(receiver.received).toHaveLength(2));
});

test('a webhook that its provider keeps locked, or whose secret cannot be opened, delays no other', async () => {
  const receiver = await startReceiver();
  const webhook = { url: receiver.url, types: ['vehicle.created.v1'] };
  const [locked, unreadable] = [await createWebhook(webhook), await createWebhook(webhook)];
  await createWebhook(webhook);
  await service.db.query(`update webhooks set sealed_secret = 'nonsense' where id = $1`, [
    unreadable.id,
  ]);
  await service.db.transaction(async (tx) => {
    await tx.query(`select 1 from webhooks where provider = 'DE-ABC' and id = $1 for update`, [
      locked.id,
    ]);
    await createVehicle('WHILELOCKED');
    await eventually(() => expect(receiver.received).toHaveLength(1));
  });
  await eventually(() => expect(receiver.received).toHaveLength(2));
  await stopDeliverers();
  expect(errors.splice(0).length).toBeGreaterThan(0);
});

test('webhooks that can send nothing for now rest, and one that fails after it began does as well', async () => {
  await stopDeliverers();
  const receiver = await startReceiver();
  const webhook = { url: receiver.url, types: ['incident.created.v1'] };
  const [full, waiting, unreadable, healthy] = [
    await createWebhook(webhook),
    await createWebhook(webhook),
    await createWebhook(webhook),
    await createWebhook({ url: receiver.url, types: ['vehicle.created.v1'] }),
  ];
  const insertPending = `
    insert into webhook_deliveries (provider, webhook_id, number, event_id, type, vehicle_id, tries, next_try_at)
    select 'DE-ABC', $1, -number, gen_random_uuid(), 'incident.created.v1', 'DE*ABC*STUCK', 1, now() + interval '1 hour'
    from generate_series(1, $2::int) number`;
  await service.db.query(insertPending, [full.id, 1_000]);
  await service.db.query(insertPending, [waiting.id, 1]);
  await service.db.query(`update webhooks set sealed_secret = 'nonsense' where id = $1`, [
    unreadable.id,
  ]);
  await createVehicle('STUCK');
  await createIncident('STUCK');
  const turns = new Map<string, number>();
  const counting = (db: Database): Database => ({
    ...db,
    forTenant: (...given) => counting(db.forTenant(...given)),
    async query(text, values, budget) {
      const rows = await db.query(text, values, budget);
      if (text.includes('for no key update skip locked'))
        for (const { id } of rows as { id: string }[]) turns.set(id, (turns.get(id) ?? 0) + 1);
      return rows as never;
    },
  });
  startDelivererWith({ db: counting(service.db) });
  const stuck = [full.id, waiting.id, unreadable.id];
  await eventually(() => expect([...turns.keys()]).toEqual(expect.arrayContaining(stuck)));
  const before = new Map(turns);
  const events = 8;
  for (let index = 1; index <= events; index++) {
    await createVehicle(`STUCK${index}`);
    await eventually(() => expect(receiver.received).toHaveLength(1 + index));
  }
  await stopDeliverers();
  const since = (id: string) => (turns.get(id) ?? 0) - (before.get(id) ?? 0);
  expect(since(healthy.id)).toBeGreaterThanOrEqual(events - 1);
  for (const id of stuck) expect(since(id)).toBeLessThan(events);
  expect(receiver.received.every(({ event }) => event.type === 'vehicle.created.v1')).toBe(true);
  expect(errors.splice(0).length).toBeGreaterThan(0);
});

test('where one more may wait, a turn passes over all events of others, and takes the next of its own', async () => {
  await stopDeliverers();
  const { id } = await createWebhook({
    url: 'http://127.0.0.1:9/',
    types: ['incident.created.v1'],
  });
  const webhook = { provider: 'DE-ABC', id } as LeasedWebhook;
  const [last] = await service.db.query<{ number: number }>(
    `select coalesce(max(number), 0)::int as number from event_log where provider = 'DE-ABC'`,
  );
  const begin = last?.number ?? 0;
  const append = (from: number, to: number, type: string) =>
    service.db.query(
      `insert into event_log (provider, number, event_id, type, record_id, occurred_at)
       select 'DE-ABC', number, gen_random_uuid(), $3, 'record', now() from generate_series($1::int, $2::int) number`,
      [begin + from, begin + to, type],
    );
  await append(1, 500, 'vehicle.created.v1');
  await append(501, 502, 'incident.created.v1');
  await append(503, 504, 'vehicle.created.v1');
  await service.db.query(
    `insert into webhook_deliveries (provider, webhook_id, number, event_id, type, tries, next_try_at)
     select 'DE-ABC', $1, -number, gen_random_uuid(), 'incident.created.v1', 1, now() + interval '1 hour'
     from generate_series(1, 999) number`,
    [id],
  );
  await service.db.query(`update webhooks set position = $2 where id = $1`, [id, begin]);
  const taken = async () => {
    const { due, hasMoved } = await takeDue(service.db, webhook);
    return { due: due.map(({ number }) => Number(number) - begin), hasMoved };
  };
  expect(await taken()).toEqual({ due: [501], hasMoved: true });
  expect(await taken()).toEqual({ due: [501], hasMoved: false });
  await service.db.query(`delete from webhook_deliveries where webhook_id = $1 and number < 0`, [
    id,
  ]);
  expect(await taken()).toEqual({ due: [501, 502], hasMoved: true });
  expect(
    await service.db.query('select position::int as at from webhooks where id = $1', [id]),
  ).toEqual([{ at: begin + 504 }]);
  await service.db.query(`delete from event_log where provider = 'DE-ABC' and number > $1`, [
    begin,
  ]);
});

test('a rest ends when the next try of the webhook is due', async () => {
  await stopDeliverers();
  const { id } = await createWebhook({ url: 'http://127.0.0.1:9/', types: ['vehicle.created.v1'] });
  await service.db.query(
    `insert into webhook_deliveries (provider, webhook_id, number, event_id, type, tries, next_try_at)
     select 'DE-ABC', $1, -number, gen_random_uuid(), 'vehicle.created.v1', 1, now() + make_interval(secs => number - 1)
     from generate_series(0, 5) number`,
    [id],
  );
  await releaseWebhook(service.db, { provider: 'DE-ABC', id } as LeasedWebhook, { rests: true });
  expect(
    await service.db.query(
      `select from webhooks w
       join webhook_deliveries d on d.provider = w.provider and d.webhook_id = w.id and d.next_try_at = w.leased_until
       where w.id = $1 and w.leased_until > w.created_at`,
      [id],
    ),
  ).toHaveLength(1);
});

const damage = {
  damageType: 'scratch',
  severity: 'light',
  repaired: false,
  position: 'right_front_door_lower',
};

test('large events are rendered one at a time, so that many receivers that are slow cost little memory', async () => {
  const receiver = await startReceiver();
  await createVehicle('LARGE');
  const { id } = await createWebhook({ url: receiver.url, types: ['incident.created.v1'] });
  await stopDeliverers();
  const texts = { notes: 'n'.repeat(10_000), cause: 'c'.repeat(10_000) };
  const damages = Array.from({ length: 20 }, () => ({ ...damage, title: 't'.repeat(9_000) }));
  for (let index = 0; index < 8; index++) {
    const body = { ...incident, ...texts, damages };
    const answer = await service.call('POST', '/DE*ABC*LARGE/incidents', body);
    expect(answer.status).toBe(201);
  }
  const rendered: number[] = [];
  startDelivererWith({
    async render(...given) {
      const events = await renderEvents(...given);
      rendered.push(JSON.stringify(events).length);
      return events;
    },
  });
  await eventually(() => expect(receiver.received).toHaveLength(8));
  expect(Math.max(...rendered)).toBeLessThan(1_048_576);
  await eventually(async () =>
    expect((await deliveriesOf(id)).map(({ status }: { status: string }) => status)).toEqual(
      Array.from({ length: 8 }, () => 'delivered'),
    ),
  );
});

test('of many webhooks that are served at a time, few are sent events of several vehicles, rendered in advance', async () => {
  await stopDeliverers();
  const slow = await startReceiver(() => 'never');
  const types = ['vehicle.created.v1'];
  for (let index = 0; index < 3; index++)
    await createWebhook({ url: `${slow.url}/${index}`, types });
  await Promise.all(['W1', 'W2', 'W3', 'W4'].map(createVehicle));
  const rendered: number[] = [];
  startDelivererWith({
    async render(...given) {
      const events = await renderEvents(...given);
      rendered.push(events.length);
      return events;
    },
    wideTurns: 1,
  });
  await eventually(() => expect(slow.received).toHaveLength(4 + 1 + 1));
  const paths = Map.groupBy(slow.received, ({ path }) => path);
  expect([...paths.values()].map(({ length }) => length).sort()).toEqual([1, 1, 4]);
  expect(rendered.sort()).toEqual([1, 1, 4]);
  slow.close();
});
