import pg from 'pg';
import { listTables } from '../platform/backup/database-tables.ts';
import { createRecords, loadSeeds } from './contract/seed.ts';
import { startTestService, type TestService } from './test-service.ts';

const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };

/** A service with records of every module, files included, and a row in every table. */
export async function startBackupSource(): Promise<TestService> {
  const service = await startTestService();
  const { vehicleId } = await createRecords(service, await loadSeeds(), provider, 1);
  await service.runJobs();
  const { rows } = await onClient(service.database.owner, (client) =>
    client.query('select id from users where provider = $1 limit 1', [provider.id]),
  );
  for (const [text, values] of statements(vehicleId ?? '', rows[0].id))
    await service.db.query(text, values);
  // Jobs that wait.
  const { status } = await service.call('PATCH', `/${vehicleId}/inspection`);
  if (status !== 202) throw new Error(`no estimate was enqueued: ${status}`);
  return service;
}

/** Of tables that no seed of the contract tests fills. */
function statements(vehicleId: string, userId: string): [string, unknown[]][] {
  const { id } = provider;
  return [
    [
      `insert into audit_seals values ($1, 1, now(), '{1,2}', now(), now(), '\\x00ff', '\\x01', '\\x5c2e0a')`,
      [id],
    ],
    ['insert into charging_redetections (provider, vehicle_id) values ($1, $2)', [id, vehicleId]],
    [
      `insert into idempotency_keys values ($1, e'tab\\t and line\\n', '\\x00', '\\N', 'infinity')`,
      [id],
    ],
    ['insert into second_factors values ($1, $2, $3, 1)', [id, userId, 'sealed']],
    [`insert into recovery_codes values ($1, $2, '\\x0a5c')`, [id, userId]],
    [`insert into revoked_tokens values ($1, 'token')`, [id]],
    [`insert into sign_in_failures values ($1, '\\x01', 1, now(), now())`, [id]],
  ];
}

export async function onClient<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** All rows that a backup has, by table, and the jobs that wait. */
export function readContent(connection: pg.ClientConfig): Promise<Record<string, string[]>> {
  return onClient(connection, async (client) => {
    await client.query('set timezone to UTC');
    const content: Record<string, string[]> = {};
    const read = async (name: string, select: string) => {
      const { rows } = await client.query(`select t::text as row from (${select}) t order by 1`);
      content[name] = rows.map(({ row }) => row);
    };
    for (const { name } of await listTables(client)) await read(name, `select * from ${name}`);
    await read('jobs', `select name, data from pgboss.job where state = 'created'`);
    return content;
  });
}

export function backupEnv(
  { env }: { env: Record<string, string> },
  folder: string,
): Record<string, string> {
  return { ...env, BLOB_URL: `file://${folder}` };
}
