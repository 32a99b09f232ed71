import pg from 'pg';
import type { Connection } from './servers.ts';

/** Whether the server answers on a new connection, be it with a refusal. */
export async function answers(
  { servers: _, behindPooler: __, Client = pg.Client, ...connection }: Connection,
  limitMs: number,
): Promise<boolean> {
  const client = new (Client as typeof pg.Client)({
    ...connection,
    application_name: 'motorpool probe',
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch (error) {
    return !/timeout/i.test((error as Error).message);
  } finally {
    // An orderly end would wait for the server.
    client.connection.stream.destroy();
  }
}
