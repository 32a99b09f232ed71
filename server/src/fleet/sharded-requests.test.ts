import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Connection } from '../platform/db/servers.ts';
import { type ContractData, seedContractData } from '../testing/contract/contract-data.ts';
import { sendRequest } from '../testing/contract/observer.ts';
import { providers, requestsOf } from '../testing/contract/requests.ts';
import { type ContractSeed, loadSeeds } from '../testing/contract/seed.ts';
import { createTestDatabase, onServer, type TestDatabase } from '../testing/test-database.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { operations } from './index.ts';

/** On a cluster that TEST_CITUS_URL names: a request asks the one worker that has its provider. */

/** What the coordinator has sent to workers, as it says in notices. */
const remoteCommands: string[] = [];

/** What the service asks now and then for itself, beside any request. */
const statusFeed = /^issuing SELECT DISTINCT provider FROM \S*status_watchers/;

class ListeningClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('notice', ({ message = '' }) => {
      if (message.startsWith('issuing ') && !statusFeed.test(message)) remoteCommands.push(message);
    });
  }
}

const isSharded = inject('postgres').workers.length > 0;

describe.skipIf(!isSharded)('on a sharded database', () => {
  let database: TestDatabase;
  let service: TestService;
  let data: ContractData;
  let seeds: ContractSeed[];
  /** Which part of the rows each shard has: shards of different tables have the same parts. */
  let parts: Map<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    const { database: name } = database.owner;
    await onServer(database.owner, `alter database ${name} set citus.log_remote_commands = on`);
    const connection: Connection = { ...database.connection, Client: ListeningClient };
    service = await startTestService({ database: { ...database, connection } });
    seeds = await loadSeeds();
    data = await seedContractData(service, seeds, providers['DE-ABC'], { withOthers: false });
    const rows = await service.owner.query<{ shard: string; part: string }>(
      'select shardid::text as shard, shardminvalue as part from pg_dist_shard',
    );
    parts = new Map(rows.map(({ shard, part }) => [shard, part]));
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  test.each(operations.map((operation) => ({ name: operation.id, operation })))(
    '$name asks one shard',
    async ({ operation }) => {
      for (const request of requestsOf(operation, seeds)) {
        await data.enter('alone');
        remoteCommands.length = 0;
        await sendRequest(service, data, operation, request);
        const asked = remoteCommands
          .flatMap((command) => command.match(/(?<=_)\d{6,}\b/g) ?? [])
          .flatMap((shard) => parts.get(shard) ?? []);
        expect(new Set(asked).size, remoteCommands.join('\n')).toBeLessThanOrEqual(1);
      }
    },
  );
});
