import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dateIn } from '../../platform/time/time-zone.ts';
import { noSubscribers, quietWriter } from '../../testing/no-subscribers.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { writeVehicles } from '../vehicles/public.ts';
import { estimateInspections } from './estimate-inspections.ts';
import { estimateOutdated } from './estimate-jobs.ts';
import { exampleRequest } from './inspection.ts';

let service: TestService;
const vehicle = '/DE*ABC*V1';
const inspection = `${vehicle}/inspection`;
const today = () => dateIn('Europe/Berlin', Date.now());
const tomorrow = () => dateIn('Europe/Berlin', Date.now() + 86_400_000);

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.db.query('delete from vehicles');
  await service.runJobs();
  await make({ vendor: 'VW', firstRegistrationDate: '2024-03-15', evBatteryCapacity: 77 });
});

/** Creates the vehicle without an estimate. */
async function make(information: object, path = vehicle) {
  await service.call('PUT', path, { information });
  await service.db.query('delete from inspections');
  await service.db.query('delete from pgboss.job');
}

const read = async () => (await service.call('GET', inspection)).json;

async function plannedInspections() {
  const { json } = await service.call('POST', '/maintenance', {});
  const reports = Object.values(json.items) as Record<string, unknown>[];
  return reports.filter(({ source }) => source === 'inspection');
}

async function waitingJobs(): Promise<number> {
  const jobs = await service.db.query(
    `select 1 from pgboss.job where name = 'estimate-inspection' and state = 'created'`,
  );
  return jobs.length;
}

test('without an estimate it is pending; triggered (202), the job estimates and plans it', async () => {
  expect(await read()).toEqual({
    status: 'pending',
    basis: {
      firstRegistrationDate: '2024-03-15',
      country: 'DE',
      usage: 'private',
      fuel: 'electric',
      vehicleClass: 'M1',
      ageMonths: expect.any(Number),
    },
  });
  const triggered = await service.call('PATCH', inspection);
  expect([triggered.status, triggered.json]).toEqual([202, { status: 'triggered' }]);
  expect((await read()).status).toBe('pending');

  expect(await service.runJobs()).toBe(1);
  const estimated = await read();
  expect(estimated).toMatchObject({
    status: 'estimated',
    estimatedDate: '2027-03-31',
    confidence: 'medium',
    reason:
      'The vehicle class is not recorded: by the model it was taken for M1. The usage is not recorded, and was taken for private.',
    rule: { country: 'DE', usage: 'private', intervalMonths: [36, 24] },
    basis: { firstRegistrationDate: '2024-03-15', fuel: 'electric' },
    estimatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/),
  });
  expect(await plannedInspections()).toMatchObject([
    { vehicleId: 'DE*ABC*V1', type: 'inspection', dueDate: '2027-03-31' },
  ]);
});

const json = { 'content-type': 'application/json' };

test.each<[string, string | undefined, Record<string, string>]>([
  ['no body', undefined, {}],
  ['an empty body', '', {}],
  ['Content-Length: 0 with a JSON type', '', json],
  ['an empty object', '{}', json],
])('%s triggers the estimation', async (_name, body, headers) => {
  const answer = await service.send({
    method: 'PATCH',
    path: `/api/fleets/v1/DE/ABC${inspection}`,
    body,
    headers: { authorization: `Bearer ${await service.token()}`, ...headers },
  });
  expect([answer.status, answer.json]).toEqual([202, { status: 'triggered' }]);
  expect(await waitingJobs()).toBe(1);
});

test('a thousand triggers of a hundred clients are one job; when it is done, the next adds another', async () => {
  const client = async () => {
    const statuses: number[] = [];
    for (let call = 0; call < 10; call++) {
      statuses.push((await service.call('PATCH', inspection)).status);
    }
    return statuses;
  };
  const statuses = (await Promise.all(Array.from({ length: 100 }, client))).flat();
  expect(statuses).toHaveLength(1_000);
  expect(new Set(statuses)).toEqual(new Set([202]));
  expect(await waitingJobs()).toBe(1);
  expect(await service.runJobs()).toBe(1);
  expect(await plannedInspections()).toHaveLength(1);

  await service.call('PATCH', inspection);
  expect(await waitingJobs()).toBe(1);
  expect(await service.runJobs()).toBe(1);
  expect(await plannedInspections()).toHaveLength(1);
});

test('two vehicles are two jobs', async () => {
  await make({}, '/DE*ABC*V2');
  await service.call('PATCH', inspection);
  await service.call('PATCH', '/DE*ABC*V2/inspection');
  expect(await service.runJobs()).toBe(2);
});

test('a passed inspection is recorded, and the next one estimated and planned in the same breath', async () => {
  const put = await service.call('PUT', inspection, exampleRequest);
  expect(put.status).toBe(200);
  expect(put.json).toMatchObject({
    status: 'estimated',
    estimatedDate: '2027-03-31',
    confidence: 'high',
    basis: { ...exampleRequest, firstRegistrationDate: '2024-03-15' },
  });
  expect(put.json).not.toHaveProperty('reason');
  expect(await read()).toEqual(put.json);
  expect(await plannedInspections()).toMatchObject([
    { dueDate: '2027-03-31', lastDoneDate: '2025-03-18' },
  ]);

  const later = await service.call('PUT', inspection, { lastInspectionDate: '2026-05-05' });
  expect(later.json.estimatedDate).toBe('2028-05-31');
  expect(await plannedInspections()).toMatchObject([{ dueDate: '2028-05-31' }]);
});

test('an overwrite clears what it leaves out, and the defaults stand in for it', async () => {
  const facts = { country: 'NL', usage: 'taxi', fuel: 'diesel', vehicleClass: 'N1' };
  const { json } = await service.call('PUT', inspection, {
    lastInspectionDate: '2026-01-02',
    ...facts,
  });
  expect(json.basis).toMatchObject({ lastInspectionDate: '2026-01-02', ...facts });
  const { json: cleared } = await service.call('PUT', inspection, {});
  const { ageMonths } = cleared.basis;
  expect(cleared.basis).toEqual({
    firstRegistrationDate: '2024-03-15',
    country: 'DE',
    usage: 'private',
    fuel: 'electric',
    vehicleClass: 'M1',
    ageMonths,
  });
});

test.each([
  ['N1', '2026-03-31', 'high'],
  ['N2', '2025-03-31', 'high'],
  ['N3', '2025-03-31', 'high'],
  ['M2', '2025-03-31', 'high'],
  ['M3', '2025-03-31', 'high'],
  ['L', '2026-03-31', 'high'],
  ['O', '2025-03-31', 'medium'],
])('a vehicle of the class %s is due on %s in Germany', async (vehicleClass, due, confidence) => {
  await service.db.query(`update vehicles set created_at = '2024-03-15'`);
  const { json } = await service.call('PUT', inspection, { vehicleClass, usage: 'private' });
  expect(json).toMatchObject({
    estimatedDate: due,
    confidence,
    rule: { vehicleClass, source: expect.stringContaining('StVZO'), reviewedOn: '2026-11-16' },
    basis: { vehicleClass },
  });
});

test('without a class it is taken from the model, and the earliest date of those that it may have counts', async () => {
  await make({ vendor: 'Mercedes-Benz', model: 'Vito', firstRegistrationDate: '2025-03-15' });
  const van = await service.call('PUT', inspection, { usage: 'private' });
  expect(van.json).toMatchObject({
    estimatedDate: '2027-03-31',
    confidence: 'medium',
    reason:
      'The vehicle class is not recorded: by the model it was taken for N1, the earliest of N1, M1.',
    basis: { vehicleClass: 'N1' },
  });
  await make({ model: 'Unheard of', firstRegistrationDate: '2025-03-15' });
  const unknown = await service.call('PUT', inspection, { usage: 'private' });
  expect(unknown.json).toMatchObject({ estimatedDate: '2028-03-31', confidence: 'low' });
});

test('what the previous release recorded as a van is one, until it is overwritten', async () => {
  await service.call('PUT', inspection, { usage: 'private' });
  await service.db.query(`update inspections set category = 'van'`);
  await service.call('PATCH', inspection);
  await service.runJobs();
  const asVan = await read();
  expect(asVan.basis.vehicleClass).toBe('N1');
  expect(asVan.reason).not.toMatch(/class/);
  await service.call('PUT', inspection, { usage: 'private' });
  expect((await read()).basis.vehicleClass).toBe('M1');
});

test('where there is no periodic inspection it is unknown, says so, and nothing is planned', async () => {
  const { json } = await service.call('PUT', inspection, { country: 'NL', vehicleClass: 'L' });
  expect(json).toMatchObject({
    status: 'unknown',
    reason: 'Vehicles of the class L are not inspected periodically.',
    rule: { country: 'NL', intervalMonths: [] },
  });
  expect(await plannedInspections()).toEqual([]);
});

test('estimates that were made by earlier rules are made again after a start', async () => {
  await service.call('PUT', inspection, exampleRequest);
  const enqueue = () =>
    service.db.transaction((tx) => service.dependencies.jobs.add(tx, estimateOutdated, {}));
  const { estimatedAt } = await read();
  await enqueue();
  await service.runJobs();
  expect((await read()).estimatedAt).toBe(estimatedAt);
  await service.db.query(`update inspections set rules_reviewed_on = null, estimated_date = null`);
  await enqueue();
  await service.runJobs();
  expect((await read()).estimatedDate).toBe('2027-03-31');
});

test('what was recorded outlives an estimation', async () => {
  const { json } = await service.call('PUT', inspection, exampleRequest);
  await service.call('PATCH', inspection);
  await service.runJobs();
  const { estimatedAt, ...again } = await read();
  expect(again).toEqual({ ...json, estimatedAt: undefined });
  expect(estimatedAt > json.estimatedAt).toBe(true);
});

test('without a registration and an inspection it is unknown, says why, and nothing is planned', async () => {
  await service.call('PUT', inspection, exampleRequest);
  await service.call('PUT', vehicle, { information: {} });
  const { status, json } = await service.call('PUT', inspection, {});
  expect(status).toBe(200);
  expect(json).toMatchObject({
    status: 'unknown',
    reason: 'Neither the first registration nor a passed inspection is known.',
    basis: { country: 'DE', usage: 'private', vehicleClass: 'M1' },
  });
  for (const absent of ['estimatedDate', 'confidence']) expect(json).not.toHaveProperty(absent);
  expect(json.basis).not.toHaveProperty('fuel');
  expect(await read()).toEqual(json);
  expect(await plannedInspections()).toEqual([]);
});

test('a country without a rule is unknown, a region with one is estimated by the odometer', async () => {
  const abroad = await service.call('PUT', inspection, { country: 'US' });
  expect(abroad.json).toMatchObject({ status: 'unknown', reason: 'No rule is known for US.' });
  await service.db.query('update vehicle_statuses set odometer = 109999.5');
  const request = { country: 'BE-WAL', lastInspectionDate: '2026-03-14' };
  expect((await service.call('PUT', inspection, request)).json).toMatchObject({
    estimatedDate: '2028-03-14',
    confidence: 'medium',
    basis: { odometer: 109_999.5 },
  });
  await service.db.query('update vehicle_statuses set odometer = 110000');
  expect((await service.call('PUT', inspection, request)).json.estimatedDate).toBe('2027-03-14');
});

test('an inspection of today is recorded, one of tomorrow is refused, and so is what is no country', async () => {
  expect((await service.call('PUT', inspection, { lastInspectionDate: today() })).status).toBe(200);
  const { status, json } = await service.call('PUT', inspection, {
    lastInspectionDate: tomorrow(),
    country: 'UK',
    usage: 'hearse',
  });
  expect(status).toBe(400);
  expect(json.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
    '/country',
    '/lastInspectionDate',
    '/usage',
  ]);
  for (const country of ['XX', 'de', 'DEU', 'DE-BE', '']) {
    expect((await service.call('PUT', inspection, { country })).status, country).toBe(400);
  }
  const { json: kept } = await service.call('GET', inspection);
  expect(kept.basis.lastInspectionDate).toBe(today());
});

test('what was read cannot be sent back by mistake: it would clear what was recorded', async () => {
  const { json } = await service.call('PUT', inspection, exampleRequest);
  expect((await service.call('PUT', inspection, json)).status).toBe(400);
});

test('another provider’s vehicle is none, and its record is left alone', async () => {
  await writeVehicles(quietWriter(service.db), { id: 'FR-XYZ', countryCode: 'FR', code: 'XYZ' }, [
    {
      asset: { id: 'FR*XYZ*V1' },
      information: { firstRegistrationDate: '2024-03-15' },
      status: {},
    },
  ]);
  for (const [method, body] of [['GET'], ['PATCH'], ['PUT', {}]] as const) {
    for (const id of ['FR*XYZ*V1', 'DE*ABC*nowhere']) {
      expect((await service.call(method, `/${id}/inspection`, body)).status).toBe(404);
    }
  }
  await service.db.transaction((tx) =>
    estimateInspections({ ...service.dependencies, tx }, 'DE-ABC', [
      'FR*XYZ*V1',
      'DE*ABC*V1',
      'DE*ABC*nowhere',
    ]),
  );
  const estimated = await service.db.query('select provider, vehicle_id from inspections');
  expect(estimated).toEqual([{ provider: 'DE-ABC', vehicle_id: 'DE*ABC*V1' }]);
});

test('triggers, records and jobs beside a delete of the vehicle are done or 404, and nothing outlives it', async () => {
  for (let round = 0; round < 5; round++) {
    await make({ firstRegistrationDate: '2024-03-15' });
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => service.call('PUT', inspection, exampleRequest)),
      ...Array.from({ length: 5 }, () => service.call('PATCH', inspection)),
      service.runJobs().then(() => ({ status: 202 })),
      service.call('DELETE', vehicle),
      ...Array.from({ length: 5 }, () => service.call('PATCH', inspection)),
      ...Array.from({ length: 5 }, () => service.call('PUT', inspection, exampleRequest)),
    ]);
    expect(answers.filter(({ status }) => ![200, 202, 204, 404].includes(status))).toEqual([]);
    await service.runJobs();
    expect(await service.db.query('select 1 from inspections')).toEqual([]);
  }
});

test('a thousand vehicles are estimated together, each by its own facts', async () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `DE*ABC*M${index}`);
  const registered = (index: number) => new Date(Date.UTC(2020, 0, 15 + index)).toISOString();
  await writeVehicles(
    quietWriter(service.db),
    { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' },
    ids.map((id, index) => ({
      asset: { id },
      information: { firstRegistrationDate: registered(index).slice(0, 10) },
      status: {},
    })),
  );
  let turns = 0;
  let turnsBeforeUpdate = 0;
  const countTurns = () => {
    turns += 1;
    immediate = setImmediate(countTurns);
  };
  let immediate = setImmediate(countTurns);
  await service.db.transaction((tx) => {
    const query: typeof tx.query = async (text, values) => {
      if (text.includes('update inspections')) turnsBeforeUpdate = turns;
      const rows = await tx.query(text, values);
      turns = 0;
      return rows as never;
    };
    return estimateInspections(
      {
        tx: { ...tx, query },
        events: noSubscribers,
        clock: { now: () => new Date('2026-11-15T23:59:59.999Z') },
      },
      'DE-ABC',
      ids,
    );
  });
  clearImmediate(immediate);
  // Other requests are served in between.
  expect(turnsBeforeUpdate).toBeGreaterThanOrEqual(10);
  const [{ first, count } = { first: '', count: 0 }] = await service.db.query<{
    first: string;
    count: number;
  }>(
    `select min(estimated_date)::text as first, count(distinct estimated_date) as count from inspections
     where estimated_at = '2026-11-15T23:59:59.999Z'`,
  );
  // All due dates are after the vehicles were added, which was today, and within three years.
  expect(first >= today()).toBe(true);
  expect(count).toBeGreaterThanOrEqual(24);
});
