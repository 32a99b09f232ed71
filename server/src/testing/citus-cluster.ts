import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { type Account, accountFor } from '../platform/db/embedded/account.ts';
import { connectNodes } from './citus-databases.ts';

/** A coordinator and two workers of Citus on this machine, each on a port of its own. */
export type CitusCluster = {
  /** The database `postgres` of the coordinator, as its superuser. */
  url: string;
  /** The data folders of its servers. */
  folders: string[];
  /** Ends one worker without letting it finish anything. */
  killWorker(port: number): void;
  startWorker(port: number): void;
};

type Node = { folder: string; port: number };

const settings = [
  "shared_preload_libraries = 'citus'",
  "listen_addresses = '127.0.0.1'",
  "unix_socket_directories = ''",
  'citus.enable_unsafe_triggers = on',
  "citus.node_conninfo = 'sslmode=disable'",
  'wal_level = logical',
  'max_connections = 300',
  'max_locks_per_transaction = 4096',
];
const withoutDurability = ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off'];

/** Starts the cluster of a folder, which is created on the first start. `PG_CONFIG` names the PostgreSQL that has Citus. */
export async function startCitusCluster(
  folder: string,
  firstPort: number,
  moreSettings: readonly string[] = withoutDurability,
): Promise<CitusCluster> {
  const nodes = nodesOf(folder, firstPort);
  const [coordinator, ...workers] = nodes;
  const isNew = !existsSync(coordinator.folder);
  for (const node of nodes) {
    if (isNew) initialize(node, moreSettings);
    if (!isRunning(node)) startNode(node);
  }
  if (isNew) await connectNodes(connectionTo(coordinator), workers.map(connectionTo), 'postgres');
  const nodeAt = (port: number) => {
    const node = workers.find((worker) => worker.port === port);
    if (!node) throw new Error(`no worker has the port ${port}`);
    return node;
  };
  return {
    url: `postgres://postgres@127.0.0.1:${coordinator.port}/postgres`,
    folders: nodes.map((node) => node.folder),
    killWorker: (port) => control(nodeAt(port), ['stop', '-m', 'immediate']),
    startWorker: (port) => startNode(nodeAt(port)),
  };
}

export function stopCitusCluster(folder: string, firstPort = 0): void {
  for (const node of nodesOf(folder, firstPort))
    if (existsSync(node.folder) && isRunning(node)) control(node, ['stop', '-m', 'fast']);
}

function nodesOf(folder: string, firstPort: number): [Node, ...Node[]] {
  const names = ['worker-1', 'worker-2'];
  const workers = names.map((name, index) => ({
    folder: join(folder, name),
    port: firstPort + index + 1,
  }));
  return [{ folder: join(folder, 'coordinator'), port: firstPort }, ...workers];
}

function initialize({ folder, port }: Node, moreSettings: readonly string[]): void {
  const account = accountFor(folder);
  mkdirSync(dirname(folder), { recursive: true, mode: 0o755 });
  mkdirSync(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  run(
    'initdb',
    ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'],
    account,
  );
  const lines = [...settings, ...moreSettings, `port = ${port}`];
  appendFileSync(join(folder, 'postgresql.conf'), `${lines.join('\n')}\n`);
}

function startNode(node: Node): void {
  control(node, ['start', '-w', '-t', '120', '-l', join(node.folder, 'server.log')]);
}

function isRunning(node: Node): boolean {
  try {
    control(node, ['status']);
    return true;
  } catch {
    return false;
  }
}

function connectionTo({ port }: Node): pg.ClientConfig {
  return { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' };
}

function control({ folder }: Node, args: readonly string[]): void {
  run('pg_ctl', ['-D', folder, '-s', ...args], accountFor(folder));
}

let programs: string | undefined;

function run(program: string, args: readonly string[], account: Account | undefined): void {
  programs ??= execFileSync(process.env.PG_CONFIG ?? 'pg_config', ['--bindir'], {
    encoding: 'utf8',
  }).trim();
  execFileSync(join(programs, program), args, {
    ...account,
    cwd: '/',
    // The account has another home, where libpq would look for certificates.
    env: { PATH: process.env.PATH, HOME: '/' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}
