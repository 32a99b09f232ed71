import pg from 'pg';
import { UserError } from '../user-error.ts';
import { startTimeoutMs } from './servers.ts';
import { isStalePlan } from './unavailable.ts';

/** What statements need to know where a pooler, such as PgBouncer, is between them and the server. */
export class Pooler {
  readonly #unprepared = new Set<string>();

  /** The server keeps its plan of the text for others, and would fail again. */
  rejectStalePlan(name: string | undefined, error: unknown): void {
    if (name !== undefined && isStalePlan(error)) this.#unprepared.add(name);
  }

  mayPrepare(name: string | undefined): boolean {
    return name !== undefined && !this.#unprepared.has(name);
  }
}

/** Those that a pooler keeps for each of its clients. */
export const pooledSessionOptions = '-c timezone=UTC -c datestyle=ISO';

const maxHolders = 5;
const noSuchStatement = '26000';
const probe = { name: 'motorpool_pooler', text: 'select pg_backend_pid() as pid' };

const whatIsNeeded = (setting: string) =>
  new UserError(
    `${setting}: leads to a connection pooler that keeps no prepared statements: PgBouncer 1.21 or newer with ` +
      'max_prepared_statements above 0 is needed, or the address of PostgreSQL itself.',
  );

/** Whether an address leads to a pooler, which announces another process than the one that answers; one that will not do is refused. */
export async function findPooler(setting: string, connection: pg.ClientConfig): Promise<boolean> {
  const opened: pg.Client[] = [];
  const open = async (options?: string) => {
    const client = new pg.Client({
      ...connection,
      ...(options !== undefined && { options }),
      application_name: 'motorpool start',
      connectionTimeoutMillis: startTimeoutMs,
      query_timeout: startTimeoutMs,
    });
    client.on('error', () => {});
    opened.push(client);
    await client.connect();
    return client;
  };
  try {
    const first = await open();
    if ((await pidOf(first)) === (first as unknown as { processID: number }).processID)
      return false;
    const client = await open(pooledSessionOptions).catch((error: Error) => {
      throw /startup parameter/.test(error.message) ? whatIsNeeded(setting) : error;
    });
    if (!(await keepsStatements(client, open))) throw whatIsNeeded(setting);
    return true;
  } finally {
    for (const client of opened) client.connection.stream.destroy();
  }
}

async function pidOf(client: pg.Client): Promise<number> {
  return (await client.query<{ pid: number }>(probe.text)).rows[0]?.pid ?? 0;
}

/** Whether a statement can be executed on another server connection than the one that it was prepared on. */
async function keepsStatements(
  client: pg.Client,
  open: () => Promise<pg.Client>,
): Promise<boolean> {
  const execute = async () => (await client.query<{ pid: number }>(probe)).rows[0]?.pid;
  const preparedOn = await execute();
  for (let holders = 0; holders < maxHolders; holders++) {
    const holder = await open();
    await holder.query('begin');
    if ((await pidOf(holder)) === preparedOn) break;
  }
  try {
    await execute();
    return true;
  } catch (error) {
    // A pool that has no other connection left does not answer in time, and cannot confuse statements either.
    return (error as pg.DatabaseError).code !== noSuchStatement;
  }
}
