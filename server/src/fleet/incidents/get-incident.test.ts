import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
const required = { title: 'Hail', vehicleOperable: true, isResolved: false };
const damage = {
  title: 'Dent',
  damageType: 'dent',
  severity: 'light',
  repaired: false,
  position: 'antenna',
};

beforeAll(async () => {
  service = await startTestService();
  await makeFleet(service.db, 'DE', 'ABC', 9);
});
afterAll(() => service.stop());

async function report(body: object, at: string) {
  const answer = await service.call('POST', `/${at}/incidents`, body);
  return { ...answer, id: answer.json.id, path: `/${at}/incidents/${answer.json.id}` };
}

const at = 'DE*ABC*T0021';
const withDamages = (...damages: object[]) => ({
  ...required,
  damages: damages.map((one) => ({ ...damage, ...one })),
});
const duplicatesOf = async ({ path }: { path: string }) =>
  (await service.call('GET', path)).json.possibleDuplicateOf;

test('possibleDuplicateOf names the open incident with an equal unrepaired damage, and only on a read', async () => {
  const older = await report(
    withDamages({ damageType: 'Kratzer Ü' }, { position: 'roof_upper_left' }),
    at,
  );
  expect(older.json).not.toHaveProperty('possibleDuplicateOf');
  const newer = await report(
    withDamages({ damageType: 'KRATZER ü' }, { damageType: 'kratzer ü' }),
    at,
  );
  expect(newer.json).not.toHaveProperty('possibleDuplicateOf');
  expect(await duplicatesOf(newer)).toEqual([
    { incidentId: older.id, position: 'antenna', damageType: 'Kratzer Ü' },
  ]);
  expect(await duplicatesOf(older)).toHaveLength(1);
  const updated = await service.call('PUT', newer.path, withDamages({ damageType: 'kratzer ü' }));
  expect(updated.json).not.toHaveProperty('possibleDuplicateOf');
  const { json } = await service.call('GET', `/${at}/incidents`);
  for (const item of json.items) expect(item).not.toHaveProperty('possibleDuplicateOf');
  await service.call('DELETE', older.path);
  await service.call('DELETE', newer.path);
});

test('possibleDuplicateOf is absent where position, type, repair, resolution or vehicle differ', async () => {
  const subject = await report(withDamages({}), at);
  await report(withDamages({ position: 'roof_upper_left' }), at);
  await report(withDamages({ damageType: 'scratch' }), at);
  await report(withDamages({ repaired: true }), at);
  await report({ ...withDamages({}), isResolved: true }, at);
  await report(withDamages({}), 'DE*ABC*T0028');
  await report(required, at);
  expect((await service.call('GET', subject.path)).json).toEqual(subject.json);
  expect(await duplicatesOf(await report(required, at))).toBeUndefined();
});

test('possibleDuplicateOf names every such incident, oldest report first, until it is repaired', async () => {
  const other = 'DE*ABC*T0035';
  const olders = [
    await report(withDamages({}, { position: 'center_console' }), other),
    await report(withDamages({ position: 'center_console' }), other),
  ];
  for (const [index, { id }] of olders.entries()) {
    await service.db.query('update incidents set report_timestamp = $2 where id = $1', [
      id,
      `2026-01-0${index + 1}T00:00:00Z`,
    ]);
  }
  const newest = await report(withDamages({ position: 'center_console' }, {}), other);
  const [first, second] = olders.map(({ id: incidentId }) => ({
    incidentId,
    damageType: 'dent',
  }));
  expect(await duplicatesOf(newest)).toEqual([
    { ...first, position: 'antenna' },
    { ...first, position: 'center_console' },
    { ...second, position: 'center_console' },
  ]);
  await service.call('PUT', olders[0]?.path ?? '', { ...required, isResolved: true });
  expect(await duplicatesOf(newest)).toEqual([{ ...second, position: 'center_console' }]);
});

/** One a day, each with the same damages. */
async function copyAsOlder(id: string, count: number): Promise<void> {
  await service.db.query(
    `insert into incidents (provider, vehicle_id, title, vehicle_operable, is_resolved, damages, report_timestamp, updated_at)
     select provider, vehicle_id, title, true, false, damages, timestamptz '2026-01-01' + make_interval(days => day), now()
     from incidents, generate_series(1, $2::int) day where provider = 'DE-ABC' and id = $1`,
    [id, count],
  );
}

async function oldersOf(vehicle: string, id: string): Promise<string[]> {
  const olders = await service.db.query<{ id: string }>(
    `select id from incidents where provider = 'DE-ABC' and vehicle_id = $1 and id <> $2 order by report_timestamp`,
    [vehicle, id],
  );
  return olders.map((older) => older.id);
}

test('possibleDuplicateOf names the oldest alone where the damages of others are too many to compare', async () => {
  const many = 'DE*ABC*T0049';
  const types = Array.from({ length: 6 }, (_, index) => `${'🚗'.repeat(9_999)}${index}`);
  const subject = await report(withDamages(...types.map((damageType) => ({ damageType }))), many);
  await copyAsOlder(subject.id, 40);
  const { status, json, bytes } = await service.call('GET', subject.path);
  expect(status).toBe(200);
  // Beside what the incident has itself.
  expect(bytes.length).toBeLessThan(2 * 262_144);
  const named = json.possibleDuplicateOf.map((one: { incidentId: string }) => one.incidentId);
  expect([...new Set(named)]).toEqual((await oldersOf(many, subject.id)).slice(0, 1));
  expect(named).toHaveLength(types.length);
});

test('of very many equal damages, each is compared once', async () => {
  const many = 'DE*ABC*T0056';
  const damages = Array.from({ length: 1_000 }, () => ({ damageType: 'd'.repeat(20) }));
  const subject = await report(withDamages(...damages), many);
  await copyAsOlder(subject.id, 7);
  const hasty = await startTestService({ database: service.database, statementTimeoutMs: 5_000 });
  onTestFinished(hasty.stop);
  const { status, json } = await hasty.call('GET', subject.path);
  expect(status).toBe(200);
  const named = json.possibleDuplicateOf.map((one: { incidentId: string }) => one.incidentId);
  // 2,000 damages.
  expect(named).toEqual((await oldersOf(many, subject.id)).slice(0, 2));
});

test('what was read with it can be sent back as it is', async () => {
  const first = await report(withDamages({}), 'DE*ABC*T0042');
  await report(withDamages({}), 'DE*ABC*T0042');
  const { json } = await service.call('GET', first.path);
  expect(json.possibleDuplicateOf).toHaveLength(1);
  const { status, json: updated } = await service.call('PUT', first.path, json);
  expect(status).toBe(200);
  expect(updated).toEqual(first.json);
});
