import type { Config } from '../config.ts';

/** The address of the configured service, as far as the settings tell. */
export function serviceUrl({ PUBLIC_URL, HOST, PORT }: Config): string {
  const host = ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST;
  return PUBLIC_URL ?? `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}
