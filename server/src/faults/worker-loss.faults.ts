import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDemoClient } from '../auth/clients.ts';
import { addProvider } from '../auth/providers.ts';
import { receiveDeliveries } from '../fleet/telemetry/boxes/receive-deliveries.ts';
import { createPartitions } from '../fleet/telemetry/public.ts';
import { createAuditPartitions } from '../platform/db/audit-partitions.ts';
import { migrate, withSchemaLock } from '../platform/db/migrate.ts';
import { shardDatabase } from '../platform/db/sharding/shard-database.ts';
import {
  type CitusCluster,
  startCitusCluster,
  stopCitusCluster,
} from '../testing/citus-cluster.ts';
import { testCredentials, testHistoryDays } from '../testing/global-setup.ts';
import { makeFleet } from '../testing/make-fleet.ts';
import { fastFolder } from '../testing/sandbox.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

/** A cluster of its own, of which a worker is killed. PG_CONFIG names a PostgreSQL that has Citus. */

const firstPort = 9_720;
const providers = ['DE-AAA', 'DE-BBB', 'DE-CCC', 'DE-DDD', 'DE-EEE', 'DE-FFF'];

describe.skipIf(!process.env.PG_CONFIG)('while a worker is down', () => {
  let folder: string;
  let cluster: CitusCluster;
  let service: TestService;
  /** The port of the worker that has the provider. */
  let workerOf: Map<string, number>;

  beforeAll(async () => {
    const parent = await mkdtemp(join(fastFolder(), 'motorpool-citus-'));
    // The servers run as another account.
    await chmod(parent, 0o755);
    folder = join(parent, 'nodes');
    // A worker that is killed must not lose what it has committed, as it could without synchronous commits.
    cluster = await startCitusCluster(folder, firstPort, ['fsync = off']);
    const connection: pg.ClientConfig = { connectionString: cluster.url };
    await migrate(connection);
    await withSchemaLock(connection, (client) => shardDatabase(client, { shardCount: 2 }));
    const database = {
      connection,
      owner: connection,
      isSharded: true,
      env: { DATABASE_URL: cluster.url },
      async drop() {},
    };
    service = await startTestService({ database });
    await createPartitions(service.owner, testHistoryDays, new Date());
    await createAuditPartitions(service.owner);
    const { clientId, clientSecret } = testCredentials;
    for (const provider of providers) {
      await service.db.transaction(async (tx) => {
        await addProvider(tx, provider, provider, { demo: true });
        await addDemoClient(tx, provider, clientId, clientSecret);
      });
    }
    const rows = await service.owner.query<{ id: string; port: number }>(
      `select id, nodeport::int as port from unnest($1::text[]) id
       join citus_shards s on s.shardid = get_shard_id_for_distribution_column('providers', id)`,
      [providers],
    );
    workerOf = new Map(rows.map(({ id, port }) => [id, port]));
  });
  afterAll(async () => {
    await service?.stop();
    stopCitusCluster(folder);
    await rm(join(folder, '..'), { recursive: true });
  });

  async function statusOf(provider: string): Promise<number> {
    const [countryCode, code] = provider.split('-');
    const { status } = await service.send({
      method: 'GET',
      path: `/api/fleets/v1/${countryCode}/${code}/maintenance-schedules`,
      headers: { authorization: `Bearer ${await service.token(provider)}` },
    });
    return status;
  }

  test('its providers get 503, all others are served, and it recovers by itself', async () => {
    expect(new Set(workerOf.values()).size).toBe(2);
    for (const provider of providers) expect(await statusOf(provider)).toBe(200);
    const killed = firstPort + 1;
    cluster.killWorker(killed);
    for (const provider of providers)
      expect(await statusOf(provider), provider).toBe(
        workerOf.get(provider) === killed ? 503 : 200,
      );
    cluster.startWorker(killed);
    for (const provider of providers) await expect.poll(() => statusOf(provider)).toBe(200);
  });

  test('messages over MQTT of its providers become jobs, those of all others are stored, and all are once it is back', async () => {
    const killed = firstPort + 1;
    for (const provider of providers) {
      const [vehicle] = await makeFleet(service.db, 'DE', provider.slice(3), 1, {
        hasImages: false,
      });
      await service.db.query(
        `insert into databoxes (provider, serial, vehicle_id, paired_at, created_at, updated_at)
         values ($1, 'BX-0', $2, now(), now(), now())`,
        [provider, vehicle?.asset.id],
      );
    }
    const receiver = receiveDeliveries(service.dependencies, { warn() {} });
    const acknowledged: string[] = [];
    const stored = async (provider: string) => {
      const rows = await service.db.query<{ odometer: number }>(
        'select odometer from vehicle_history where provider = $1 and odometer is not null',
        [provider],
      );
      return rows.map(({ odometer }) => odometer);
    };
    const timestamp = new Date(Date.now() - 60_000).toISOString();
    cluster.killWorker(killed);
    for (const provider of providers) {
      receiver.receive({
        topic: `motorpool/${provider.replace('-', '/')}/BX-0/messages`,
        payload: Buffer.from(JSON.stringify({ timestamp, odometer: 4_711 })),
        isOpen: () => true,
        acknowledge: () => void acknowledged.push(provider),
      });
    }
    await expect.poll(() => acknowledged.toSorted()).toEqual(providers);
    for (const provider of providers.filter((one) => workerOf.get(one) !== killed))
      expect(await stored(provider), provider).toEqual([4_711]);
    await receiver.settle();
    cluster.startWorker(killed);
    for (const provider of providers) await expect.poll(() => statusOf(provider)).toBe(200);
    await service.runJobs();
    for (const provider of providers) expect(await stored(provider), provider).toEqual([4_711]);
  });
});
