import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProgram, withSubcommands } from './main.ts';
import { buildName } from './platform/build-info.ts';
import { runCommand } from './testing/run-command.ts';
import { createSandbox, programFile, type Sandbox } from './testing/sandbox.ts';

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createSandbox();
});
afterAll(() => sandbox.close());

function pathOf(command: Command): string[] {
  return command.parent ? [...pathOf(command.parent), command.name()] : [];
}

test.each(withSubcommands(await createProgram()).map((command) => [pathOf(command).join(' ')]))(
  '"motorpool %s --help" says what it does and what it takes',
  async (path) => {
    const names = path ? path.split(' ') : [];
    const program = await createProgram(names[0]);
    const command = names.reduce<Command>(
      (at, name) => at.commands.find((one) => one.name() === name) ?? at,
      program,
    );
    const shown: string[] = [];
    command.configureOutput({ writeOut: (text) => shown.push(text) });
    const parsed = program.parseAsync(['node', 'motorpool', ...names, '--help']);
    await expect(parsed).rejects.toMatchObject({ exitCode: 0 });

    expect(command.description()).not.toBe('');
    expect(shown.join('').replaceAll(/\s+/g, ' ')).toContain(command.description());
    for (const { description } of [...command.registeredArguments, ...command.options])
      expect(description).not.toBe('');
  },
);

test('help is no fault, and goes to standard output', async () => {
  for (const args of [['--help'], ['client', 'rotate', '--help']]) {
    const { code, stdout, stderr } = await sandbox.run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: motorpool /);
  }
});

test('the version names the commit as well', async () => {
  const { code, stdout } = await sandbox.run(['--version']);
  expect([code, stdout]).toEqual([0, `${buildName}\n`]);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+( \([0-9a-f]{7}\))?\n$/);
});

test.each([
  [['serv'], /unknown command 'serv'\n\(Did you mean serve\?\)/],
  [['provider', 'disable', 'DE'], /missing required argument 'CODE'/],
  [['provider', 'add', 'DE', 'ABC'], /required option '--name <name>' not specified/],
  [['provider', 'list', '--yaml'], /unknown option '--yaml'/],
  [['migrate', 'now'], /too many arguments/],
])('%j is not understood: exit code 2 and a hint', async (args, fault) => {
  const dataDir = sandbox.dataDir();
  const { code, stdout, stderr } = await runCommand(args, { env: { DATA_DIR: dataDir } });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(fault);
  expect(stderr).toMatch(/\(--help tells what it takes\)\n$/);
  expect(existsSync(dataDir)).toBe(false);
});

const olderNode = ['/usr/bin/node', '/usr/local/bin/node'].find((node) => {
  if (!existsSync(node)) return false;
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)/.exec(version)?.[1]) < 24;
});

test.skipIf(!olderNode)('a Node that is too old is told so in one sentence', () => {
  const { npm_command: _, ...env } = process.env;
  const refused = { ...env, npm_command: 'exec', npm_config_yes: '' };
  for (const started of [env, refused]) {
    const { status, stdout, stderr } = spawnSync(olderNode ?? '', [programFile, 'serve'], {
      encoding: 'utf8',
      env: started,
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      /^motorpool: Node 24 or newer is needed, and this is v[\d.]+: install it, or run npm install node\S+@24 .*\n$/,
    );
  }
});
