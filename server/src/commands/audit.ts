import { Command } from 'commander';
import { providerId, requireProvider } from '../auth/providers.ts';
import { loadConfig } from '../config.ts';
import { auditKeptFrom } from '../platform/db/audit-partitions.ts';
import { UserError } from '../platform/user-error.ts';
import { integerParser } from './arguments.ts';
import { takeOptionalProvider, takeProvider } from './provider-words.ts';
import { printRows } from './table.ts';
import { withDatabase } from './with-database.ts';

type ListOptions = {
  since?: string;
  until?: string;
  type?: string;
  action?: string;
  vehicle?: string;
  record?: string;
  client?: string;
  request?: string;
  limit: number;
  json?: boolean;
};

export function auditCommand(): Command {
  const audit = new Command('audit').description('who changed what');

  takeProvider(
    audit
      .command('list', { isDefault: true })
      .description('list the newest events of the audit trail'),
  )
    .option('--since <time>', 'from when on, such as 2026-11-01 or 2026-11-01T08:00:00Z', parseTime)
    .option('--until <time>', 'before when', parseTime)
    .option('--type <type>', 'of one type of record, such as vehicle or client')
    .option('--action <action>', 'such as created, changed, deleted or signed-in')
    .option('--vehicle <id>', 'of a vehicle and all that belongs to it')
    .option('--record <id>', 'of one record')
    .option('--client <id>', 'through one client')
    .option('--request <id>', 'of one request')
    .option('--limit <number>', 'how many at most', integerParser('--limit', 1, 1_000), 100)
    .option('--json', 'print JSON, with the fields that changed')
    .action(async (countryCode: string, code: string, options: ListOptions) => {
      // Imported on demand: it loads the schemas, which most commands do not need.
      const { listAuditEvents } = await import('./audit-list.ts');
      const provider = providerId(countryCode, code);
      const events = await withDatabase(async (db) => {
        await requireProvider(db, provider);
        return listAuditEvents(db, provider, options);
      });
      printRows(options.json ? events : events.map(lineOf), options);
    });

  takeOptionalProvider(
    audit
      .command('verify')
      .description(
        'recompute the chain of hashes; fails when an event is missing, altered or added behind',
      ),
    'only that of one asset provider',
  )
    .option(
      '--expect <hash>',
      'a head that was kept elsewhere: must be in the chain; with --provider',
    )
    .option('--json', 'print JSON')
    .action(async (options: { provider?: string; expect?: string; json?: boolean }) => {
      if (options.expect !== undefined && options.provider === undefined)
        throw new UserError(
          '--expect is the head of one asset provider: say which with --provider.',
        );
      // Imported on demand, as above.
      const { listAuditedProviders, verifyChain } = await import('../fleet/audit/public.ts');
      const keptFrom = auditKeptFrom(loadConfig(process.env).AUDIT_RETENTION_DAYS, new Date());
      const expected = options.expect?.toLowerCase();
      const results = await withDatabase(async (db) => {
        const providers = options.provider ? [options.provider] : await listAuditedProviders(db);
        // One snapshot for all: the service goes on writing and sealing.
        return db.transaction(async (tx) => {
          const verified = [];
          for (const provider of providers)
            verified.push(
              await verifyChain(tx, provider, { keptFrom, ...(expected && { expected }) }),
            );
          return verified;
        }, 'read only');
      });
      printRows(
        options.json
          ? results
          : results.map(({ issues, ...result }) => ({ ...result, issues: issues.length })),
        options,
      );
      for (const { provider, issues } of results)
        for (const issue of issues) process.stderr.write(`${provider}: ${issue}\n`);
      if (results.some(({ issues }) => issues.length > 0)) process.exitCode = 1;
    });

  return audit;
}

function parseTime(value: string): string {
  const time = new Date(value);
  if (Number.isNaN(time.getTime()))
    throw new UserError(`"${value}" is not a time such as 2026-11-01 or 2026-11-01T08:00:00Z.`);
  return time.toISOString();
}

type Listed = Awaited<ReturnType<typeof import('./audit-list.ts')['listAuditEvents']>>[number];

function lineOf({
  occurredAt,
  action,
  type,
  vehicleId,
  recordId,
  actor,
  operation,
  changes,
}: Listed) {
  return {
    occurredAt,
    action,
    type,
    record: recordId ?? vehicleId,
    actor: actor.username ?? actor.subject ?? actor.kind,
    client: actor.clientId,
    address: actor.address,
    operation,
    changed: Object.keys(changes),
  };
}
