import { afterAll, beforeAll, expect, test } from 'vitest';
import { examplesOf, providers, sentOf } from '../testing/contract/requests.ts';
import { createRecords, loadSeeds } from '../testing/contract/seed.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { modules } from './index.ts';

/** The times of records, by a clock that is not the database's. */

const daysAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const created = daysAhead(100);
const changed = daysAhead(101);
const own = providers['DE-ABC'];

const timesOf: Record<string, readonly string[]> = {
  drivers: ['added_at'],
  past_assignments: ['added_at', 'removed_at'],
  logbook_entries: ['created_at', 'updated_at'],
  checklist_entries: ['created_at', 'updated_at'],
  checklist_templates: ['created_at', 'updated_at'],
  incidents: ['report_timestamp', 'updated_at'],
  maintenance_schedules: ['created_at', 'updated_at'],
  maintenance_reports: ['created_at', 'updated_at'],
  inspections: ['created_at', 'updated_at', 'estimated_at'],
  blobs: ['created_at', 'uploaded_at'],
};

const overwriting = modules
  .filter(({ name }) => !['vehicles', 'telemetry', 'charging', 'drivers'].includes(name))
  .flatMap(({ operations }) => operations.filter(({ method }) => method === 'PUT'));

let service: TestService;
let now = new Date(created);

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => now } });
  const values = await createRecords(service, await loadSeeds(), own, 1);
  await service.runJobs();
  now = new Date(changed);
  for (const operation of overwriting) {
    const request = { body: examplesOf(operation)[0] };
    const sent = sentOf(operation, own, await service.token(), values, request);
    expect((await service.send(sent)).status, operation.id).toBe(200);
  }
});
afterAll(() => service.stop());

test.each(Object.entries(timesOf))('%s take %j from the clock', async (table, columns) => {
  for (const column of columns) {
    const rows = await service.db.query<{ time: string | null }>(
      `select distinct ${column} as time from ${table} where provider = 'DE-ABC'`,
    );
    const times = rows.map(({ time }) => time);
    const isUpdate = column === 'updated_at' || column === 'estimated_at';
    expect(times, column).toContain(isUpdate ? changed : created);
    expect(times.filter((time) => time !== created && time !== changed)).toEqual([]);
  }
});

test('none of them has a default, so that a statement that forgets one fails', async () => {
  const defaults = await service.db.query(
    `select table_name, column_name from information_schema.columns
     where table_name = any($1) and data_type like 'timestamp%' and column_default is not null`,
    [Object.keys(timesOf)],
  );
  expect(defaults).toEqual([]);
});

test('files that are announced at the same moment are listed in the order of their announcement', async () => {
  const { json: entry } = await service.call('POST', '/DE*ABC*V0001/logbook', {
    date: '2027-03-01',
    title: 'Washed',
  });
  const filenames = Array.from({ length: 8 }, (_, index) => `${index}.jpg`);
  for (const filename of filenames)
    await service.call('POST', `/DE*ABC*V0001/blobs/logbook/${entry.id}`, { filename });
  const { json } = await service.call('GET', `/DE*ABC*V0001/logbook/${entry.id}`);
  expect(json.blobs.map(({ filename }: { filename: string }) => filename)).toEqual(filenames);
});
