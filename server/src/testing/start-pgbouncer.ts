import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { freePort } from './free-port.ts';

const program = process.env.PGBOUNCER_PATH || 'pgbouncer';

/** Such as 125 of 1.25; undefined where it is not installed. */
export const pgbouncerVersion = versionOf();

function versionOf(): number | undefined {
  try {
    const PATH = `${process.env.PATH}:/usr/sbin`;
    const text = execFileSync(program, ['--version'], { env: { PATH }, encoding: 'utf8' });
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(text) ?? [];
    return Number(major) * 100 + Number(minor);
  } catch {
    return undefined;
  }
}

/** PgBouncer in transaction mode in front of a server. */
export async function startPgbouncer(
  { host, port = 5432, user, password }: pg.ClientConfig,
  settings: Record<string, string | number> = {},
): Promise<{ connection: pg.ClientConfig; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'motorpool-pgbouncer-'));
  chmodSync(folder, 0o777);
  const socketFolder = host?.startsWith('/') ? host : undefined;
  const listenPort = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: listenPort,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 10,
    max_client_conn: 200,
    ...settings,
  };
  writeFileSync(
    file,
    `[databases]\n* = host=${socketFolder ? '/proc/self/cwd' : host} port=${port} user=${user} password=${password}\n[pgbouncer]\n` +
      Object.entries(lines)
        .map(([name, value]) => `${name} = ${value}\n`)
        .join(''),
  );
  // It refuses to run as root, and the socket of a server may be open to that server's account alone.
  const { uid, gid } = socketFolder ? statSync(socketFolder) : { uid: 65_534, gid: 65_534 };
  const account = process.getuid?.() === 0 ? { uid, gid } : {};
  const PATH = `${process.env.PATH}:/usr/sbin`;
  // Root enters the folder for it, whose parents may be closed to that account.
  const options = { ...account, cwd: socketFolder ?? folder, env: { PATH } };
  const running = spawn(program, [file], { ...options, stdio: 'ignore' });
  const ended = once(running, 'exit');
  while (!(await accepts(listenPort))) {
    if (running.exitCode !== null) throw new Error('PgBouncer has ended at once.');
    await sleep(20);
  }
  return {
    connection: { host: '127.0.0.1', port: listenPort, user, password },
    async stop() {
      running.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
