import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ReadBudgetExceeded } from '../../platform/db/read-budget.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { customerIncidents } from '../incidents/customer-data.ts';
import { customerLogbook } from '../logbook/customer-data.ts';
import { readDocument } from './customer-document.ts';

const entries = 3_000;
const customerId = '6c3f0a52-6c0e-4a53-9d55-3c8f8c9d8f11';

let service: TestService;
let turn = 0;
let counting: NodeJS.Immediate;
beforeAll(async () => {
  service = await startTestService();
  await makeFleet(service.db, 'DE', 'ABC', 1);
  await service.db.query(
    `insert into logbook_entries (provider, vehicle_id, date, category, title, created_at, updated_at,
       customer_country_code, customer_provider_code, customer_id)
     select 'DE-ABC', 'DE*ABC*T0000', '2026-01-01', 'other', 'x', now(), now(), 'DE', 'MOB', $1
     from generate_series(1, $2)`,
    [customerId, entries],
  );
  counting = setImmediate(function next() {
    turn += 1;
    counting = setImmediate(next);
  });
});
afterAll(() => {
  clearImmediate(counting);
  return service.stop();
});

test('a large export is converted over several turns of the event loop', async () => {
  const { records } = customerLogbook;
  if (!records) throw new Error('the logbook has no records of customers');
  const { read } = records;
  const ofTurn = new Map<number, number>();
  vi.spyOn(records, 'read').mockImplementation(async (...given) => {
    const found = await read(...given);
    const itemOf = (row: never) => {
      ofTurn.set(turn, (ofTurn.get(turn) ?? 0) + 1);
      return found.itemOf(row);
    };
    return { ...found, itemOf };
  });
  const { status, json } = await service.call('GET', `/users/DE/MOB/${customerId}/export`);
  expect([status, json.logbook.items.length]).toEqual([200, entries]);
  const counts = [...ofTurn.values()];
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(entries);
  expect(Math.max(...counts)).toBeLessThan(entries / 2);
});

test('the lists of an export are read within one budget', async () => {
  const id = 'b5b1c7c4-5e0b-4f53-8a43-0a4dd2b8b0d6';
  const [text, customer, count] = [`repeat('🚗', 10000)`, `'DE', 'MOB', '${id}'::uuid`, 250];
  const columns = `created_at, updated_at, customer_country_code, customer_provider_code, customer_id`;
  await service.db.query(
    `insert into logbook_entries (provider, vehicle_id, date, category, title, description, ${columns})
     select 'DE-ABC', 'DE*ABC*T0000', '2026-01-01', 'other', 'x', ${text}, now(), now(), ${customer}
     from generate_series(1, ${count})`,
  );
  await service.db.query(
    `insert into incidents (provider, vehicle_id, title, vehicle_operable, is_resolved, report_timestamp, updated_at,
       customer_country_code, customer_provider_code, customer_id)
     select 'DE-ABC', 'DE*ABC*T0000', ${text}, true, true, now(), now(), ${customer} from generate_series(1, ${count})`,
  );
  const read = (...data: (typeof customerLogbook)[]) =>
    service.db.transaction((tx) =>
      readDocument(
        tx,
        data,
        { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' },
        ['DE-ABC', 'DE', 'MOB', id],
        1_000_000,
      ),
    );
  await read(customerLogbook);
  await read(customerIncidents);
  await expect(read(customerLogbook, customerIncidents)).rejects.toThrow(ReadBudgetExceeded);
});

test('however few records are shown, they are read in pieces, as each can have a great many others', async () => {
  const { records } = customerLogbook;
  if (!records) throw new Error('the logbook has no records of customers');
  const inPieces: boolean[] = [];
  const read: typeof records.read = async (_tx, _provider, _customer, _limit, budget) => {
    inPieces.push(budget.inPieces);
    return { rows: [], itemOf: () => ({}), totalEntries: 0 };
  };
  const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
  const data = [{ ...customerLogbook, records: { ...records, read } }];
  await readDocument(service.db, data, provider, ['DE-ABC', 'DE', 'MOB', customerId], 25);
  expect(inPieces).toEqual([true]);
});
