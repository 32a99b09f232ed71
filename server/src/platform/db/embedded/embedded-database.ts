import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { UserError } from '../../user-error.ts';
import { isUnavailable } from '../unavailable.ts';
import type { Cluster } from './cluster.ts';
import { ensureRunning, stopServer } from './postmaster.ts';
import { prepareCluster } from './prepare-cluster.ts';
import { databaseName, ensureRoles, loginOf, roles } from './roles.ts';
import { rotateLog } from './server-log.ts';

/**
 * The service and the commands share one PostgreSQL on the data folder: the first starts it, the last stops it, as
 * each holds a shared advisory lock. The service also holds an exclusive one, which keeps out a second service.
 */
export type EmbeddedDatabase = Record<keyof typeof roles, pg.ClientConfig> & {
  close(): Promise<void>;
};

/** The service and workers restart a server that dies; commands are short-lived and fail. */
export type Role = 'service' | 'worker' | 'command';

type EmbeddedOptions = {
  parameters?: Record<string, string>;
  packaged?: string;
  /** Is told why a server that has died cannot be started again. */
  onError?: ((error: Error) => void) | undefined;
};

const rotationIntervalMs = 600_000;
const locks = { present: 7_001, service: 7_002 };

/** Whether something was stored there before. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres'));
}

export async function openEmbedded(
  dataDir: string,
  role: Role,
  options: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  const cluster = await prepareCluster(resolve(dataDir), options.parameters, options.packaged);
  const socket = socketFolder(cluster.pgData);
  const connectionOf = (name: keyof typeof roles): pg.ClientConfig => ({
    host: socket.folder,
    database: databaseName,
    ...loginOf(cluster, roles[name]),
  });
  let closing = false;
  let presence: pg.Client;
  let recovery: Promise<void> | undefined;

  async function connect(): Promise<void> {
    presence = await joinServer(cluster, connectionOf, role, dataDir);
    let lost = false;
    presence.on('error', () => {
      if (!lost && !closing && role !== 'command') recovery = reconnect();
      lost = true;
    });
  }

  async function reconnect(): Promise<void> {
    for (let pauseMs = 100; !closing; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      try {
        return await connect();
      } catch (error) {
        options.onError?.(error as Error);
        await sleep(pauseMs, undefined, { ref: false });
      }
    }
  }

  try {
    await connect();
  } catch (error) {
    socket.remove();
    throw error;
  }

  const rotation = setInterval(() => rotateLog(cluster), rotationIntervalMs).unref();
  return {
    superuser: connectionOf('superuser'),
    owner: connectionOf('owner'),
    service: connectionOf('service'),
    async close() {
      closing = true;
      clearInterval(rotation);
      // The recovery may be starting the server.
      await recovery;
      await leaveServer(cluster, presence);
      socket.remove();
    },
  };
}

async function joinServer(
  cluster: Cluster,
  connectionOf: (name: keyof typeof roles) => pg.ClientConfig,
  role: Role,
  dataDir: string,
): Promise<pg.Client> {
  for (const deadline = Date.now() + 120_000; ; await sleep(50)) {
    await ensureRunning(cluster);
    let client: pg.Client | undefined;
    try {
      await ensureRoles(cluster, connectionOf('superuser'));
      client = new pg.Client({
        ...connectionOf('service'),
        application_name: `motorpool ${role} ${process.pid}`,
      });
      // A server that is starting or stopping closes the connection.
      client.on('error', () => {});
      await client.connect();
      await client.query('select pg_advisory_lock_shared($1)', [locks.present]);
      if (role === 'service') await acquireServiceLock(client, dataDir);
      client.removeAllListeners('error');
      return client;
    } catch (error) {
      if (client && error instanceof UserError) await leaveServer(cluster, client);
      else await client?.end().catch(() => {});
      if ((error as pg.DatabaseError).code === '3D000')
        await createDatabase(connectionOf('superuser'));
      else if (!isUnavailable(error) || Date.now() > deadline) throw error;
    }
  }
}

async function leaveServer(cluster: Cluster, presence: pg.Client): Promise<void> {
  if (await isLast(presence)) await stopServer(cluster);
  await presence.end().catch(() => {});
}

async function createDatabase(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`create database ${databaseName}`);
  } catch (error) {
    // Another process created it, or is stopping the server.
    const duplicate = ['42P04', '23505'].includes((error as pg.DatabaseError).code ?? '');
    if (!duplicate && !isUnavailable(error)) throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

async function acquireServiceLock(client: pg.Client, dataDir: string): Promise<void> {
  // PostgreSQL may not have noticed yet that a previous service was killed.
  for (const deadline = Date.now() + 2_000; ; await sleep(100)) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as acquired', [
      locks.service,
    ]);
    if (rows[0].acquired) return;
    if (Date.now() > deadline) break;
  }
  const { rows } = await client.query(
    `select substring(application_name from '\\d+$') as pid from pg_stat_activity
     where application_name like 'motorpool service %' and pid <> pg_backend_pid() limit 1`,
  );
  throw new UserError(
    `Another Motorpool service (pid ${rows[0]?.pid ?? 'unknown'}) runs on the data folder ${dataDir}: stop it or set another DATA_DIR.`,
  );
}

async function isLast(presence: pg.Client): Promise<boolean> {
  try {
    await presence.query('select pg_advisory_unlock_shared($1)', [locks.present]);
    const { rows } = await presence.query('select pg_try_advisory_lock($1) as last', [
      locks.present,
    ]);
    return rows[0].last;
  } catch {
    return false;
  }
}

/** The data folder contains the socket; where that path exceeds the system's limit, a link to the folder. */
function socketFolder(pgData: string): { folder: string; remove(): void } {
  if (Buffer.byteLength(join(pgData, '.s.PGSQL.5432')) < 100) {
    return { folder: pgData, remove() {} };
  }
  const parent = mkdtempSync(join(tmpdir(), 'motorpool-'));
  symlinkSync(pgData, join(parent, 'pg'));
  return {
    folder: join(parent, 'pg'),
    remove: () => rmSync(parent, { recursive: true, force: true }),
  };
}
