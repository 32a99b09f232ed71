import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemType } from '../testing/problem-type.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { exampleRequest as exampleInvoice } from './invoices/invoice-examples.ts';

/** What is refused has deleted nothing that belongs to a record, which would be rolled back: that can be repeated for ever. */

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ statementTimeoutMs: 5_000 });
  await service.call('PUT', vehicle, { information: {} });
});
afterAll(() => service.stop());

const vehicle = '/DE*ABC*V1';

async function create(path: string, body: object): Promise<string> {
  const { status, json } = await service.call('POST', path, body);
  expect(status).toBe(201);
  return `${path}/${json.id}`;
}

function createInvoice(status: 'draft' | 'open') {
  const lines = exampleInvoice.lines.map(({ vehicleId: _, ...line }) => line);
  return create('/invoices', { ...exampleInvoice, number: status, status, lines });
}

async function createSchedule() {
  const path = await create('/maintenance-schedules', {
    title: 'Service',
    type: 'service',
    calendarMonths: [4],
  });
  await service.runJobs();
  return path;
}

async function vehicleWithEntries() {
  await create(`${vehicle}/logbook`, { date: '2026-01-01', title: 'x' });
  return vehicle;
}

const stale = { 'if-match': '"0"' };
const changed = [412, problemType('changed-meanwhile')];

test.each([
  ['a vehicle', 'logbook_entries', vehicleWithEntries, stale, changed],
  ['a maintenance schedule', 'maintenance_reports', createSchedule, stale, changed],
  ['a draft', 'invoice_lines', () => createInvoice('draft'), stale, changed],
  [
    'an invoice that has to be kept',
    'invoice_lines',
    () => createInvoice('open'),
    {},
    [409, problemType('not-a-draft')],
  ],
] as const)(
  'a deletion of %s that is refused touches none of its %s',
  async (_what, table, make, headers, refusal) => {
    const path = await make();
    await service.db.transaction(async (tx) => {
      const rows = await tx.query(`select from ${table} where provider = 'DE-ABC' for update`);
      expect(rows).not.toEqual([]);
      const { status, json } = await service.call('DELETE', path, undefined, headers);
      expect([status, json.type]).toEqual(refusal);
    });
  },
);

test('a schedule whose deletion is refused locks none of its vehicles', async () => {
  const path = await createSchedule();
  await service.db.transaction(async (tx) => {
    await tx.query(`select from vehicle_statuses where provider = 'DE-ABC' for update`);
    const { status } = await service.call('DELETE', path, undefined, stale);
    expect(status).toBe(412);
  });
});
