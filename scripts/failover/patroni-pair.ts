import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Two PostgreSQL servers under Patroni and etcd on loopback, of which one is the synchronous standby of the other. */
export type PatroniPair = {
  /** Of both servers, as a DATABASE_URL names them. */
  hosts: string;
  superuserUrl: string;
  /** Waits until one server takes writes and the other has all that it acknowledges. */
  untilSynchronous(): Promise<Node>;
  /** Ends PostgreSQL and Patroni of a server at once, as the loss of a machine does. */
  kill(node: Node): void;
  /** Starts a server that was killed; it becomes the standby. */
  restart(node: Node): void;
  stop(): Promise<void>;
};

type Node = { name: string; port: number };
type ManagedNode = Node & { apiPort: number; folder: string; patroni: ChildProcess | undefined };

const limitMs = 300_000;
const password = 'failover-test';
/** How long the lock of the primary outlives it: most of the time without writes. */
export const lockSeconds = 15;

export async function startPatroniPair(): Promise<PatroniPair> {
  const binaries = globSync('/usr/lib/postgresql/*/bin').sort().at(-1);
  if (!binaries || !isInstalled('patroni') || !isInstalled('etcd'))
    throw new Error('It needs Debian’s packages postgresql, patroni and etcd-server.');
  const account = postgresAccount();
  const folder = mkdtempSync(join(tmpdir(), 'motorpool-failover-'));
  const own = (path: string) => {
    if ('uid' in account) chownSync(path, account.uid, account.gid);
  };
  own(folder);
  const start = (command: string, args: string[]) =>
    spawn(command, args, {
      cwd: folder,
      ...account,
      stdio: 'ignore',
      env: { PATH: process.env.PATH },
    });

  const [etcdPort, peerPort] = [await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const etcd = start('etcd', [
    ...['--name', 'etcd', '--data-dir', join(folder, 'etcd')],
    ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
    ...['--initial-cluster', `etcd=${peerUrl}`],
  ]);
  await until('etcd answers', async () => (await fetch(`${etcdUrl}/health`)).ok);

  const nodes: ManagedNode[] = [];
  for (const name of ['a', 'b']) {
    const node = {
      name,
      port: await freePort(),
      apiPort: await freePort(),
      folder: join(folder, name),
      patroni: undefined,
    };
    mkdirSync(node.folder);
    own(node.folder);
    writeFileSync(
      `${node.folder}.json`,
      // JSON is YAML.
      JSON.stringify(settingsOf(node, { etcd: `127.0.0.1:${etcdPort}`, binaries })),
    );
    nodes.push(node);
  }
  const run = (node: ManagedNode) => {
    node.patroni = start('patroni', [`${node.folder}.json`]);
  };
  for (const node of nodes) {
    run(node);
    await until(`server ${node.name} is known`, () => isKnown(node));
  }

  return {
    hosts: nodes.map(({ port }) => `127.0.0.1:${port}`).join(','),
    superuserUrl: `postgres://postgres:${password}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres?target_session_attrs=read-write`,
    async untilSynchronous() {
      let primary: Node | undefined;
      await until('the standby is synchronous', async () => {
        const roles = await Promise.all(nodes.map((node) => stateOf(node)));
        primary = nodes.find((_node, index) =>
          ['master', 'primary'].includes(roles[index]?.role ?? ''),
        );
        const standby = roles.find((state) => state?.sync_standby === true);
        return primary !== undefined && standby !== undefined;
      });
      return primary as Node;
    },
    kill(node) {
      const { patroni, folder: path } = nodes.find(({ name }) => name === node.name) as ManagedNode;
      patroni?.kill('SIGKILL');
      for (const pid of processesIn(path)) endAtOnce(pid);
    },
    restart: (node) => run(nodes.find(({ name }) => name === node.name) as ManagedNode),
    async stop() {
      for (const { patroni } of nodes) patroni?.kill('SIGKILL');
      for (const node of nodes) for (const pid of processesIn(node.folder)) endAtOnce(pid);
      etcd.kill('SIGKILL');
      await wait(500);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function settingsOf(
  { name, port, apiPort, folder }: ManagedNode,
  { etcd, binaries }: { etcd: string; binaries: string },
): object {
  const local = `127.0.0.1:${port}`;
  const login = (username: string) => ({ username, password });
  return {
    scope: 'motorpool',
    name,
    restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
    etcd3: { host: etcd },
    bootstrap: {
      dcs: {
        ttl: lockSeconds,
        loop_wait: 2,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { synchronous_commit: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: [
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
    },
    postgresql: {
      listen: local,
      connect_address: local,
      data_dir: join(folder, 'data'),
      bin_dir: binaries,
      pgpass: `${folder}.pgpass`,
      authentication: {
        superuser: login('postgres'),
        replication: login('replicator'),
        rewind: login('rewind'),
      },
      parameters: { unix_socket_directories: folder, max_connections: 100 },
    },
  };
}

type State = { state: string; role: string; sync_standby?: boolean };

async function stateOf({ apiPort }: ManagedNode): Promise<State | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${apiPort}/patroni`);
    return (await response.json()) as State;
  } catch {
    return undefined;
  }
}

async function isKnown(node: ManagedNode): Promise<boolean> {
  if (node.patroni?.exitCode != null) throw new Error(`Patroni of ${node.name} has ended.`);
  return (await stateOf(node))?.state === 'running';
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + limitMs; Date.now() < deadline; await wait(200))
    if (await isSo().catch(() => false)) return;
  throw new Error(`It was not so in time: ${what}.`);
}

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL does not run as root. */
function postgresAccount(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const id = (kind: string) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** PostgreSQL and its children have the data folder as their working directory. */
function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readlinkSync(`/proc/${name}/cwd`).startsWith(`${folder}/`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('no port is free');
  return address.port;
}
