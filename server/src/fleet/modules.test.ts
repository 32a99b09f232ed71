import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { jobs, modules, operations, tags } from './index.ts';

/** What the registrations promise to the rest of the program. */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('every table that references a customer is declared by the module that owns it', async () => {
  const tables = await service.db.query<{ name: string }>(
    `select distinct table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'customer_id' order by 1`,
  );
  expect(modules.flatMap(({ customerData }) => customerData?.tables ?? []).sort()).toEqual(
    tables.map(({ name }) => name),
  );
});

test('what a module keeps of customers is read and erased by its declaration', () => {
  const incomplete = modules.filter(
    ({ customerData }) => customerData && !(customerData.records && customerData.erase),
  );
  // Keys and erasures, which have no content of their own and go with the last step.
  expect(incomplete.map(({ name }) => name)).toEqual(['audit', 'customers']);
});

test('every kind of owner of files can be stored', async () => {
  const [check] = await service.db.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'blobs_owner_check'`,
  );
  const allowed = [...(check?.definition.matchAll(/'([^']+)'/g) ?? [])].map(([, kind]) => kind);
  const segments = modules.flatMap(({ files }) => files?.segment ?? []);
  expect(segments.sort()).toEqual(allowed.sort());
});

test('every operation has a tag that some module describes, and a name of its own', () => {
  const known = tags.map(({ name }) => name);
  expect(operations.filter(({ tag }) => !known.includes(tag)).map(({ id }) => id)).toEqual([]);
  const ids = operations.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every operation that answers with a page is a search, and so is what counts and sorts without one', () => {
  const isPaged = ({ responses }: (typeof operations)[number]) =>
    JSON.stringify(responses).includes('"pagination"');
  const wrong = operations.filter((one) => isPaged(one) !== (one.workload === 'search'));
  expect(wrong.map(({ id }) => id)).toEqual(['getUser', 'exportUser']);
});

test('every job has a name of its own', () => {
  const names = jobs.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('every kind of job that is of one provider gives turns to others', () => {
  // Whatever else a payload has, it does not matter here.
  const payload = new Proxy({}, { get: (_, name) => (name === 'provider' ? 'DE-ABC' : 'x') });
  const ofProvider = jobs.filter(({ key }) => key(payload as never).includes('DE-ABC'));
  expect(ofProvider.length).toBeGreaterThan(5);
  expect(ofProvider.filter((kind) => !('tenant' in kind)).map(({ name }) => name)).toEqual([]);
});
