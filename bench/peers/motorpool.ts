import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Environment } from '../environment.ts';
import { type Server, startMotorpool } from '../processes.ts';
import { tokenRequest } from '../scenarios.ts';
import { overHttp, type Peer, type RunningPeer } from './peer.ts';

/** The service as shipped: bearer checked, requests validated, every request logged. */
export const motorpoolPeer: Peer = {
  name: 'Motorpool',
  serves: () => true,
  start: (environment) => startProcesses(environment, 1),
};

/** Several processes of the service on one database. */
export async function startProcesses(
  environment: Environment,
  count: number,
): Promise<RunningPeer> {
  const servers =
    count === 1 ? [await startOne(environment)] : await startSeveral(environment, count);
  const urls = servers.map(({ url }) => url);
  const sign = async (access: number): Promise<string> => {
    const { path, method, body, type = '' } = tokenRequest(environment, access);
    const headers = { 'content-type': type };
    const response = await fetch(`${urls[0]}${path}`, { method, headers, body });
    if (!response.ok) throw new Error(`No token: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { access_token: string }).access_token;
  };
  return {
    pids: servers.map(({ pid }) => pid),
    ...overHttp(environment, urls, sign),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

/** Those of a client would be measured, not the service. */
const noLimits = {
  LIMIT_CLIENT_RATE: '0',
  LIMIT_CLIENT_CONCURRENCY: '0',
  LIMIT_PROVIDER_RATE: '0',
  LIMIT_PROVIDER_CONCURRENCY: '0',
};

type Process = Server & { url: string };

async function startOne({ dataDir, logs }: Environment): Promise<Process> {
  const env = { ...noLimits, DATA_DIR: dataDir, PORT: '0' };
  const server = await startMotorpool(env, join(logs, 'motorpool.log'));
  return { ...server, url: server.ready };
}

/** A data folder allows one service; several share a database by its address. */
async function startSeveral(environment: Environment, count: number): Promise<Process[]> {
  const ports = await freePorts(count);
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  return Promise.all(
    ports.map(async (port, number) => {
      const env = {
        ...noLimits,
        // It has the key of the secrets.
        DATA_DIR: environment.dataDir,
        DATABASE_URL: databaseUrl(environment),
        PORT: String(port),
        // One issuer, so that all processes accept the same tokens.
        PUBLIC_URL: urls[0] ?? '',
      };
      const server = await startMotorpool(env, join(environment.logs, `motorpool-${number}.log`));
      return { ...server, url: urls[number] ?? '' };
    }),
  );
}

async function freePorts(count: number): Promise<number[]> {
  const listeners = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = listeners.map((server) => (server.address() as AddressInfo).port);
  for (const server of listeners) server.close();
  return ports;
}

function databaseUrl({ connection }: Environment): string {
  const { user, password, database, host } = connection;
  const credentials = `${user}:${encodeURIComponent(String(password))}`;
  return `postgres://${credentials}@localhost/${database}?host=${encodeURIComponent(String(host))}`;
}
