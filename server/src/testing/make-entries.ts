import { operations } from '../fleet/index.ts';
import type { Queryable } from '../platform/db/database.ts';
import { basePath } from '../platform/http/operation.ts';
import type { TestService } from './test-service.ts';

/** Creates an entry that can have files, from the example of its operation. Answers its id. */
export async function makeEntry(
  service: TestService,
  segment: string,
  vehicleId: string,
): Promise<string> {
  const created = (at: string) =>
    operations.find(({ method, path }) => method === 'POST' && path === at);
  const create = created(`/{vehicleId}/${segment}`) ?? created(`/${segment}`);
  // A draft where there is one: it can be made again, and deleted.
  const examples = create?.body?.examples ?? {};
  const example = examples.draft ?? Object.values(examples)[0];
  const [country = '', code = ''] = vehicleId.split('*');
  const prefix = basePath
    .replace('{assetProviderCountryCode}', country)
    .replace('{assetProviderCode}', code);
  const { status, json } = await service.send({
    method: 'POST',
    path: `${prefix}${create?.path.replace('{vehicleId}', vehicleId)}`,
    headers: {
      authorization: `Bearer ${await service.token(`${country}-${code}`)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(example?.value),
  });
  if (status !== 201) throw new Error(`No ${segment} for ${vehicleId}: ${status}`);
  return json.id;
}

/** The same of a logbook, where no service runs. */
export async function insertLogbookEntry(db: Queryable, vehicleId: string): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `insert into logbook_entries (provider, vehicle_id, date, category, title, created_at, updated_at)
     values ('DE-ABC', $1, '2026-10-28', 'other', 'Washed', now(), now()) returning id`,
    [vehicleId],
  );
  if (!row) throw new Error('nothing was inserted');
  return row.id;
}
