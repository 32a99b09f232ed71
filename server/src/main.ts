import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { setRunningCommand } from './commands/acting-command.ts';
import { auditCommand } from './commands/audit.ts';
import { clientCommand } from './commands/client.ts';
import { demoCommand } from './commands/demo.ts';
import { exportCommand } from './commands/export-vehicles.ts';
import { importCommand } from './commands/import-vehicles.ts';
import { Interrupted } from './commands/interruption.ts';
import { jobsCommand } from './commands/jobs.ts';
import { migrateCommand } from './commands/migrate.ts';
import { providerCommand } from './commands/provider.ts';
import { secretsCommand } from './commands/secrets.ts';
import { serveCommand } from './commands/serve.ts';
import { simulateCommand } from './commands/simulate.ts';
import { userCommand } from './commands/user.ts';
import { workerCommand } from './commands/worker.ts';
import { isUnavailable } from './platform/db/unavailable.ts';
import { UserError } from './platform/user-error.ts';

const commands = [
  demoCommand,
  serveCommand,
  workerCommand,
  migrateCommand,
  providerCommand,
  clientCommand,
  userCommand,
  secretsCommand,
  importCommand,
  exportCommand,
  simulateCommand,
  jobsCommand,
  auditCommand,
];

/** Exit codes: 0 done, 1 failed, 2 not understood, 130 interrupted. */
export async function run(argv: string[]): Promise<void> {
  // A reader such as head may close the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    await createProgram().parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else if (error instanceof Interrupted) process.exit(130);
    else if (error instanceof UserError) fail(error.message);
    else if (isUnavailable(error)) fail(`The database went away: ${(error as Error).message}.`);
    else fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

export function createProgram(): Command {
  const program = new Command('motorpool')
    .description('A fleet vehicle service.')
    .version(manifest.version)
    .addHelpText(
      'after',
      '\nSettings are environment variables; the README lists them.\nExit codes: 0 done, 1 failed, 2 not understood, 130 interrupted.',
    );
  program.hook('preAction', (_program, command) => setRunningCommand(command));
  for (const command of commands) program.addCommand(command());
  for (const command of withSubcommands(program))
    command.exitOverride().showHelpAfterError('(--help tells what it takes)');
  return program;
}

export function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

function fail(message: string): void {
  process.exitCode = 1;
  process.stderr.write(`motorpool: ${message}\n`);
}
