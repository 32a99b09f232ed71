import { Command, CommanderError } from 'commander';
import { setRunningCommand } from './commands/acting-command.ts';
import { failureMessage } from './commands/failure-message.ts';
import { Interrupted } from './commands/interruption.ts';
import { normalizeProvider } from './commands/provider-words.ts';
import { withoutControls } from './commands/table.ts';
import { buildName } from './platform/build-info.ts';

type Loader = () => Promise<() => Command>;

/** Only the one that is given is loaded: most need a small part of the program. */
const commands: Record<string, Loader> = {
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  worker: async () => (await import('./commands/worker.ts')).workerCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  shard: async () => (await import('./commands/shard.ts')).shardCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/restore.ts')).restoreCommand,
  provider: async () => (await import('./commands/provider.ts')).providerCommand,
  client: async () => (await import('./commands/client.ts')).clientCommand,
  user: async () => (await import('./commands/user.ts')).userCommand,
  secrets: async () => (await import('./commands/secrets.ts')).secretsCommand,
  import: async () => (await import('./commands/import-vehicles.ts')).importCommand,
  export: async () => (await import('./commands/export-vehicles.ts')).exportCommand,
  simulate: async () => (await import('./commands/simulate.ts')).simulateCommand,
  jobs: async () => (await import('./commands/jobs.ts')).jobsCommand,
  audit: async () => (await import('./commands/audit.ts')).auditCommand,
};

/** Exit codes: 0 done, 1 failed, 2 not understood, 130 interrupted. */
export async function run(argv: string[]): Promise<void> {
  // A reader such as head may close the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    const args = argv.length > 2 ? argv : [...argv, 'demo'];
    const program = await createProgram(args[2]);
    await program.parseAsync(normalizeProvider(program, args));
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else if (error instanceof Interrupted) process.exit(130);
    else fail(failureMessage(error));
  }
}

/** With the one command of this name, with none for the version, or with all. */
export async function createProgram(name = ''): Promise<Command> {
  const program = new Command('motorpool')
    .description('A fleet vehicle service.')
    .version(buildName)
    .addHelpText(
      'after',
      '\nWithout a command, it starts the demo.\nSettings are environment variables, which motorpool serve --help lists.\nExit codes: 0 done, 1 failed, 2 not understood, 130 interrupted.',
    );
  program.hook('preAction', (_program, command) => setRunningCommand(command));
  for (const load of loadersOf(name)) program.addCommand((await load())());
  for (const command of withSubcommands(program))
    command.exitOverride().showHelpAfterError('(--help tells what it takes)');
  return program;
}

function loadersOf(name: string): Loader[] {
  if (['-V', '--version'].includes(name)) return [];
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return load ? [load] : Object.values(commands);
}

export function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

function fail(message: string): void {
  process.exitCode = 1;
  // It may quote a file of others.
  process.stderr.write(`motorpool: ${withoutControls(message)}\n`);
}
