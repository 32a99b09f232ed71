import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import type { Answer } from './http-client.ts';
import { makeEntry } from './make-entries.ts';
import type { TestService } from './test-service.ts';

export const uploadVehicle = 'DE*ABC*T0000';
const base = '/api/fleets/v1/DE/ABC';

/** Announces a file of a new logbook entry. Answers its path below the provider's. */
export async function announceNew(
  service: TestService,
  body: object = { filename: 'file.bin' },
  owner = 'logbook',
): Promise<string> {
  const entry = `/${uploadVehicle}/blobs/${owner}/${await makeEntry(service, owner, uploadVehicle)}`;
  const { json } = await service.call('POST', entry, body);
  return `${entry}/${json.uuid}`;
}

export async function upload(
  service: TestService,
  path: string,
  body: Buffer | string,
  headers: Record<string, string | undefined> = {},
): Promise<Answer> {
  return service.send({
    method: 'PUT',
    path: base + path,
    headers: { authorization: `Bearer ${await service.token()}`, ...headers },
    body,
  });
}

export type Dialogue = {
  socket: Socket;
  /** Resolves when all is handed to the system. */
  write(bytes: Buffer | string): Promise<void>;
  /** All that has come until the connection was closed. */
  ended: Promise<string>;
};

/** Opens an upload on a bare connection, to be continued by hand. */
export async function beginUpload(
  service: TestService,
  path: string,
  ...headers: string[]
): Promise<Dialogue> {
  const authorization = `Authorization: Bearer ${await service.token()}`;
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  // Reset by the other side is an end as any other here.
  socket.on('error', () => {});
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(received)));
  const write = (bytes: Buffer | string) =>
    new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  const head = [`PUT ${base}${path} HTTP/1.1`, 'Host: x', authorization, ...headers];
  await write(`${head.join('\r\n')}\r\n\r\n`);
  return { socket, write, ended };
}

/** Every file in the service's folder, finished or not. */
export async function storedFiles({ blobFolder }: TestService): Promise<string[]> {
  const found = await readdir(blobFolder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ name }) => name);
}
