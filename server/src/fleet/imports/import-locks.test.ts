import { afterAll, beforeAll, expect, test } from 'vitest';
import { UserError } from '../../platform/user-error.ts';
import { lockWaits } from '../../testing/lock-waits.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { lockVehicles } from '../vehicles/public.ts';
import { csvOfBytes } from './csv-file.ts';
import { importVehicles } from './vehicle-import.ts';

let service: TestService;
const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
const [first, last] = ['DE*ABC*V1', 'DE*ABC*V2'];

beforeAll(async () => {
  service = await startTestService();
  for (const id of [first, last]) await service.call('PUT', `/${id}`, { information: {} });
});
afterAll(() => service.stop());

test('lines in any order deadlock with no message: their vehicles are locked by id', async () => {
  // The lines are written apart, as a signal of the first is left out.
  const lines = ['asset.id,status.odometer,status.fuelLevel', `${last},10,500`, `${first},20,50`];
  const file = csvOfBytes(Buffer.from(lines.join('\n')));
  const importing = await service.db.transaction(async (tx) => {
    await lockVehicles(tx, provider.id, [first]);
    const report = importVehicles(service.dependencies, provider, file, {
      interruption: new AbortController().signal,
    });
    await expect.poll(() => lockWaits(service.db), { timeout: 60_000 }).toBe(1);
    await lockVehicles(tx, provider.id, [last]);
    return { report };
  });
  expect(await importing.report).toMatchObject({ overwritten: 2, faulty: 0, written: true });
});

test('of a file with too many lines, no vehicle is locked', async () => {
  const bytes = Buffer.from(`asset.id\n${`${first}\n`.repeat(20)}`);
  const statements: string[] = [];
  const db: typeof service.db = {
    ...service.db,
    transaction: (work) =>
      service.db.transaction((tx) =>
        work({
          ...tx,
          query(text, values) {
            statements.push(text);
            return tx.query(text, values);
          },
        }),
      ),
  };
  const report = importVehicles(
    { ...service.dependencies, db },
    provider,
    csvOfBytes(bytes, { maxLines: 10 }),
    { interruption: new AbortController().signal },
  );
  await expect(report).rejects.toThrow(
    new UserError('The file has more than 10 lines: import it in parts.'),
  );
  expect(statements.filter((text) => /for (no key )?update|named_ids select/.test(text))).toEqual(
    [],
  );
});
