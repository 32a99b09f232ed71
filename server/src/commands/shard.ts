import { Command } from 'commander';
import { withSchemaLock } from '../platform/db/migrate.ts';
import { shardDatabase } from '../platform/db/sharding/shard-database.ts';
import { integerParser } from './arguments.ts';
import { progressBar } from './progress.ts';
import { withDatabase } from './with-database.ts';

const defaultShardCount = 32;

export function shardCommand(): Command {
  return new Command('shard')
    .description(
      'distribute the tables over the workers of Citus, whose coordinator DATABASE_URL names; stop the service before',
    )
    .option(
      '--shards <count>',
      'parts of each table, which is the most workers that they can be spread over',
      integerParser('--shards', 1, 1_024),
      defaultShardCount,
    )
    .action(async ({ shards }: { shards: number }) => {
      const count = await withDatabase(
        (db) =>
          withSchemaLock(db.ownerConnection, async (client) => {
            let progress: ReturnType<typeof progressBar> | undefined;
            const distributed = await shardDatabase(client, {
              shardCount: shards,
              onProgress(done, total) {
                progress ??= progressBar(total, 'tables');
                progress.show(done, done);
              },
            });
            progress?.end();
            return distributed;
          }),
        { resumesSharding: true },
      );
      process.stdout.write(
        count === 0
          ? 'The tables are distributed already.\n'
          : `Distributed ${count} tables by provider.\n`,
      );
    });
}
