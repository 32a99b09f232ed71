import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../environment.ts';
import { startMotorpool } from '../processes.ts';
import { tokenRequest } from '../scenarios.ts';
import { overHttp, type Peer, type RunningPeer } from './peer.ts';

/** The service as shipped: bearer checked, requests validated, every request logged. */
export const motorpoolPeer: Peer = {
  name: 'Motorpool',
  serves: () => true,
  start: (environment) => startProcesses(environment, 1),
};

/** Those of a client would be measured, not the service. */
const noLimits = {
  LIMIT_CLIENT_RATE: '0',
  LIMIT_CLIENT_CONCURRENCY: '0',
  LIMIT_PROVIDER_RATE: '0',
  LIMIT_PROVIDER_CONCURRENCY: '0',
};

/** The service as so many processes on one port. */
export async function startProcesses(
  environment: Environment,
  count: number,
): Promise<RunningPeer> {
  const { dataDir, logs, databaseUrl } = environment;
  const env = {
    ...noLimits,
    DATA_DIR: dataDir,
    PORT: '0',
    PROCESSES: String(count),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  const server = await startMotorpool(env, join(logs, 'motorpool.log'));
  const url = server.ready;
  const sign = async (access: number): Promise<string> => {
    const { path, method, body, type = '' } = tokenRequest(environment, access);
    const headers = { 'content-type': type };
    const response = await fetch(`${url}${path}`, { method, headers, body });
    if (!response.ok) throw new Error(`No token: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { access_token: string }).access_token;
  };
  return {
    pids: count === 1 ? [server.pid] : [server.pid, ...processesOf(server.pid)],
    ...overHttp(environment, [url], sign),
    stop: () => server.stop(),
  };
}

/** Those that a supervisor has started; the embedded PostgreSQL is a child as well. */
function processesOf(supervisor: number): number[] {
  const children = readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8');
  return children
    .trim()
    .split(' ')
    .map(Number)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('motorpool.js'));
}
