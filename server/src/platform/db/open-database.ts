import { openSecretBox, type SecretSettings } from '../secrets/secret-keys.ts';
import { UserError } from '../user-error.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { openEmbedded, type Role } from './embedded/embedded-database.ts';
import { roles } from './embedded/roles.ts';
import { migrate } from './migrate.ts';
import { findPooler } from './pooler.ts';
import { requireSeparateRoles, unusable } from './separate-roles.ts';
import { type Connection, connectionTo } from './servers.ts';
import { isSharded } from './sharding/shard-database.ts';

export type DatabaseSettings = Omit<DatabaseOptions, 'secrets'> &
  SecretSettings & {
    databaseUrl: string | undefined;
    /** The role that owns the schema of an external server; without it, the service's does. */
    ownerUrl: string | undefined;
    /** How many the embedded server has to accept. */
    connections?: number;
    /** Whether it is opened to complete an interrupted distribution over workers. */
    resumesSharding?: boolean;
  };

type ServerSettings = Pick<
  DatabaseSettings,
  'databaseUrl' | 'ownerUrl' | 'dataDir' | 'onError' | 'connections'
>;

/** The service's connections, and what is known of the database. */
export type ConfiguredDatabase = Database & {
  /** One connection of the role that may change the schema, opened on demand; for the upkeep of partitions. */
  owner: Database;
  /** Whether the service's role is restricted to reading and writing rows. */
  hasSeparateRoles: boolean;
  /** For a connection of its own, of the role that owns the schema. */
  ownerConnection: Connection;
  migrationsApplied: number;
};

export type DatabaseServer = {
  owner: Connection;
  service: Connection;
  /** The name of the service's role, where it is not the owner. */
  serviceRole?: string;
  close(): Promise<void>;
};

const ownerIdleTimeoutMs = 1_000;
/** Of PostgreSQL. */
/** Which the server keeps for its superuser. */
const superuserConnections = 3;
const defaultConnections = 100;

/** Opens the configured database, embedded or external, and migrates it. */
export async function openConfiguredDatabase(
  settings: DatabaseSettings,
  role: Role,
): Promise<ConfiguredDatabase> {
  const server = await openServer(settings, role);
  const { owner, service, serviceRole } = server;
  try {
    const migrationsApplied = await migrate(owner, {
      serviceRole,
      resumesSharding: settings.resumesSharding,
    });
    const ownerDatabase = openDatabase(owner, {
      ...settings,
      poolSize: 1,
      idleTimeoutMs: ownerIdleTimeoutMs,
    });
    const secrets = await openSecretBox(ownerDatabase, settings).catch(async (error) => {
      await ownerDatabase.close();
      throw error;
    });
    const database = openDatabase(service, {
      ...settings,
      secrets,
      isSharded: await isSharded(ownerDatabase.rawQuery),
    });
    let closed: Promise<void> | undefined;
    return {
      ...database,
      owner: ownerDatabase,
      hasSeparateRoles: serviceRole !== undefined,
      ownerConnection: owner,
      migrationsApplied,
      close() {
        closed ??= Promise.all([database.close(), ownerDatabase.close()])
          .then(() => {})
          .finally(server.close);
        return closed;
      },
    };
  } catch (error) {
    await server.close();
    if (settings.databaseUrl === undefined) throw error;
    throw unusable(settings.ownerUrl === undefined ? 'DATABASE_URL' : 'DATABASE_OWNER_URL', error);
  }
}

/** The server of the configured database, whatever is in it. */
export async function openServer(
  { databaseUrl, ownerUrl, dataDir, onError, connections = 0 }: ServerSettings,
  role: Role,
): Promise<DatabaseServer> {
  if (databaseUrl === undefined) {
    if (ownerUrl !== undefined)
      throw new UserError('DATABASE_OWNER_URL: needs DATABASE_URL, which is the service’s role.');
    const wanted = connections + superuserConnections;
    const parameters = { max_connections: String(Math.max(defaultConnections, wanted)) };
    const embedded = await openEmbedded(dataDir, role, { onError, parameters });
    return { ...embedded, serviceRole: roles.service };
  }
  const service = await connect('DATABASE_URL', databaseUrl);
  if (ownerUrl === undefined) {
    if (service.isPooler)
      throw ownerNeedsServer(
        'set DATABASE_OWNER_URL to its address, with the role that owns the schema',
      );
    return { owner: service.connection, service: service.connection, async close() {} };
  }
  const owner = await connect('DATABASE_OWNER_URL', ownerUrl);
  if (owner.isPooler) throw ownerNeedsServer('let DATABASE_OWNER_URL lead there');
  return {
    owner: owner.connection,
    service: service.isPooler
      ? { ...service.connection, behindPooler: owner.connection }
      : service.connection,
    ...(await requireSeparateRoles(owner.connection, service.connection)),
    async close() {},
  };
}

/** Migrations hold locks and settings of a session. */
function ownerNeedsServer(remedy: string): UserError {
  return new UserError(
    `DATABASE_URL: leads to a connection pooler, and migrations need PostgreSQL itself: ${remedy}.`,
  );
}

async function connect(
  setting: string,
  url: string,
): Promise<{ connection: Connection; isPooler: boolean }> {
  try {
    const connection = await connectionTo(url);
    return { connection, isPooler: await findPooler(setting, connection) };
  } catch (error) {
    throw unusable(setting, error);
  }
}
