import { Command } from 'commander';
import { UserError } from '../platform/user-error.ts';
import { printRows } from './table.ts';
import { withDatabase } from './with-database.ts';
import { withFleet } from './with-fleet.ts';

export function jobsCommand(): Command {
  const jobs = new Command('jobs').description('jobs that have failed for good');
  jobs
    .command('list')
    .description('list the jobs that were given up after their last try')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const dead = await withDatabase((db) => withFleet(db, ({ queue }) => queue.listDead()));
      const shown = dead.map(({ payload, ...job }) => ({
        ...job,
        payload: options.json ? payload : JSON.stringify(payload),
      }));
      printRows(shown, options);
    });
  jobs
    .command('retry')
    .description('try jobs again that were given up: the ones named, or all')
    .argument('[id...]', 'ids as "motorpool jobs list" shows them')
    .action(async (ids: string[]) => {
      const wrong = ids.find((id) => !uuid.test(id));
      if (wrong !== undefined) throw new UserError(`"${wrong}" is not the id of a job.`);
      const moved = await withDatabase((db) =>
        withFleet(db, ({ queue }) => queue.retry(ids.length > 0 ? ids : undefined)),
      );
      if (moved < ids.length) {
        throw new UserError(`Of ${ids.length} jobs, ${moved} were there to be tried again.`);
      }
      process.stdout.write(`${moved} ${moved === 1 ? 'job' : 'jobs'} will be tried again.\n`);
    });
  return jobs;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
