import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { UserError } from '../user-error.ts';

/** On this machine. */
export function localUrlOf(host: string, port: number): string {
  const isAny = ['0.0.0.0', '::'].includes(host);
  return `http://${isAny ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

type SettingNames = { host: string; port: string };

/** Returns the port, which is a free one for 0. */
export async function listen(
  app: FastifyInstance,
  host: string,
  port: number,
  names: SettingNames,
): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new UserError(listenErrorMessage(error as NodeJS.ErrnoException, host, port, names));
  }
  const address = app.server.address();
  return typeof address === 'object' && address ? address.port : port;
}

/** Before what takes long; whether it is still free is known when it is listened on. */
export async function requireFreePort(
  host: string,
  port: number,
  names: SettingNames,
): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw new UserError(listenErrorMessage(error as NodeJS.ErrnoException, host, port, names));
  }
  server.close();
  await once(server, 'close');
}

function listenErrorMessage(
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
  names: SettingNames,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `${names.port}: something else listens on ${host}:${port} already: stop it, or set another ${names.port}.`;
    case 'EACCES':
      return `${names.port}: listening on ${port} is not permitted: set a ${names.port} above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${names.host}: ${host} is not an address of this machine.`;
    default:
      return `Cannot listen on ${host}:${port}: ${message}`;
  }
}
