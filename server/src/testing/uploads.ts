import { connect, type Socket } from 'node:net';
import { basename } from 'node:path';
import { expect } from 'vitest';
import { deleteBytes } from '../fleet/files/delete-bytes.ts';
import type { Answer } from './http-client.ts';
import { makeEntry } from './make-entries.ts';
import { makeRecord } from './make-record.ts';
import { pathsBelow } from './paths-below.ts';
import type { TestService } from './test-service.ts';

export const uploadVehicle = 'DE*ABC*T0000';
const base = '/api/fleets/v1/DE/ABC';

/** Announces a file of a new entry; returns its path below the provider's. */
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

/** Uploads a new file of an entry, whose files are at a path below the provider's. */
export async function uploadNew(
  service: TestService,
  files: string,
  filename: string,
  body: Buffer,
): Promise<void> {
  const { uuid } = await makeRecord(service, 'POST', files, { filename });
  const { status } = await upload(service, `${files}/${uuid}`, body);
  expect(status).toBe(200);
}

export type Dialogue = {
  socket: Socket;
  /** Resolves when the system has accepted the bytes. */
  write(bytes: Buffer | string): Promise<void>;
  /** What was received so far. */
  received(): string;
  /** All that was received until the connection closed. */
  ended: Promise<string>;
};

/** Starts an upload on a raw connection, which the test continues. */
export function beginUpload(
  service: TestService,
  path: string,
  ...headers: string[]
): Promise<Dialogue> {
  return beginRequest(service, `PUT ${base}${path}`, ...headers);
}

export async function beginRequest(
  service: TestService,
  methodAndPath: string,
  ...headers: string[]
): Promise<Dialogue> {
  const authorization = `Authorization: Bearer ${await service.token()}`;
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  // A reset by the server is a regular end here.
  socket.on('error', () => {});
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(received)));
  const write = (bytes: Buffer | string) =>
    new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  const head = [`${methodAndPath} HTTP/1.1`, 'Host: x', authorization, ...headers];
  await write(`${head.join('\r\n')}\r\n\r\n`);
  return { socket, write, received: () => received, ended };
}

/** What a worker does soon after a file is removed or replaced, or its upload has failed. */
export async function deleteReleasedBytes({
  db,
  blobs,
}: Pick<TestService, 'db' | 'blobs'>): Promise<void> {
  const released = await db.query<{ provider: string }>(
    'select distinct provider from stored_objects where released_at is not null',
  );
  for (const { provider } of released) await deleteBytes({ db, blobs }, provider);
}

/** All files in the service's folder that are not released, complete or not. */
export async function storedFiles(service: TestService): Promise<string[]> {
  await deleteReleasedBytes(service);
  return pathsBelow(service.blobFolder).map((path) => basename(path));
}
