import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CreateMultipartUploadCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startS3, type TestS3 } from '../../testing/start-s3.ts';
import { type BlobStore, NoSuchBlob } from './blob-store.ts';
import { openBlobStore, parseBlobUrl } from './open-blob-store.ts';

/** A store, the keys of its blobs and unfinished uploads, and a put that is interrupted. */
type TestStore = {
  url: string;
  keys(): Promise<string[]>;
  interruptPut(key: string): Promise<void>;
};

const folder = mkdtempSync(join(tmpdir(), 'motorpool-blobs-'));
let s3: TestS3;

beforeAll(async () => {
  s3 = await startS3();
  for (const [name, value] of Object.entries(s3.credentials)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.stop();
  rmSync(folder, { recursive: true });
});

const inFolder = (): TestStore => ({
  url: `file://${folder}/a/b`,
  async keys() {
    const found = await readdir(join(folder, 'a/b'), { recursive: true, withFileTypes: true });
    return found
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 5));
  },
  async interruptPut(key) {
    const path = join(folder, 'a/b', `${key}.uploading`);
    writeFileSync(path, 'half of i');
  },
});

const inBucket = (): TestStore => ({
  url: `s3://${s3.bucket}/some/prefix?endpoint=${s3.endpoint}`,
  async keys() {
    const keys = [...(await s3.objects()), ...(await s3.unfinished())];
    return keys.map((key) => key.replace('some/prefix/', ''));
  },
  async interruptPut(key) {
    const client = new S3Client({
      endpoint: s3.endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
    });
    const address = { Bucket: s3.bucket, Key: `some/prefix/${key}` };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(address));
    await client.send(
      new UploadPartCommand({ ...address, UploadId, PartNumber: 1, Body: randomBytes(100) }),
    );
    client.destroy();
  },
});

describe.each([
  ['a folder', inFolder],
  ['an S3', inBucket],
])('%s', (_, createTestStore) => {
  let store: BlobStore;
  let testStore: TestStore;

  beforeAll(async () => {
    testStore = createTestStore();
    store = await openBlobStore(parseBlobUrl(testStore.url), 'unused');
  });

  const newKey = () => `DE-ABC/${randomUUID()}`;
  const put = (key: string, bytes: Buffer) => store.put(key, inPieces(bytes));
  const read = async (key: string, first?: number, last = 0) =>
    buffer(await store.get(key, first === undefined ? undefined : { first, last }));

  // The last needs three parts of an S3 upload.
  test.each([0, 1, 65_536, 5 * 1024 * 1024, 11_000_000])(
    'what was put is what is got, and its size is answered: %i bytes',
    async (size) => {
      const key = newKey();
      const bytes = randomBytes(size);
      expect(await put(key, bytes)).toBe(size);
      expect(hashOf(await read(key))).toBe(hashOf(bytes));
      const whole = await store.getWhole(key);
      expect([whole.size, hashOf(await buffer(whole.bytes))]).toEqual([size, hashOf(bytes)]);
      expect(await testStore.keys()).toContain(key);
      expect(await testStore.keys()).not.toContain(`${key}.uploading`);
    },
  );

  test('a range is got from its first byte to its last', async () => {
    const key = newKey();
    const bytes = randomBytes(100_000);
    await put(key, bytes);
    for (const [first, last] of [
      [0, 1],
      [0, 99_999],
      [99_999, 99_999],
      [65_530, 65_545],
    ] as const) {
      expect(await read(key, first, last)).toEqual(bytes.subarray(first, last + 1));
    }
  });

  test('under an unknown key there is NoSuchBlob to get, and nothing to delete', async () => {
    for (const key of [newKey(), 'nowhere/at-all']) {
      await expect(store.get(key)).rejects.toThrow(NoSuchBlob);
      await store.delete(key);
    }
  });

  test('deleted is gone, also for a second delete, and the others stay', async () => {
    const [key, other] = [newKey(), newKey()];
    await put(key, Buffer.from('a'));
    await put(other, Buffer.from('b'));
    await store.delete(key);
    await store.delete(key);
    await expect(store.get(key)).rejects.toThrow(NoSuchBlob);
    expect(String(await read(other))).toBe('b');
    expect(await testStore.keys()).not.toContain(key);
  });

  test.each([100_000, 7_000_000])(
    'a stream that fails after %i bytes leaves nothing, and its own failure is told',
    async (size) => {
      const key = newKey();
      const failure = new Error('cut off');
      const bytes = inPieces(randomBytes(size), failure);
      await expect(store.put(key, bytes)).rejects.toBe(failure);
      await expect(store.get(key)).rejects.toThrow(NoSuchBlob);
      expect((await testStore.keys()).filter((name) => name.startsWith(key))).toEqual([]);
    },
  );

  test('what a killed put has left is removed by delete, and is nothing to get before', async () => {
    const [key, other] = [newKey(), newKey()];
    await put(other, Buffer.from('b'));
    await testStore.interruptPut(key);
    await testStore.interruptPut(`${key}0`);
    expect((await testStore.keys()).some((name) => name.startsWith(key))).toBe(true);
    await expect(store.get(key)).rejects.toThrow(NoSuchBlob);
    await store.delete(key);
    const left = (await testStore.keys()).filter((name) => name.startsWith(key));
    expect(left.map((name) => name.replace('.uploading', ''))).toEqual([`${key}0`]);
  });

  test('a put replaces what is there and what a killed put has left; one that fails does not', async () => {
    const key = newKey();
    await put(key, Buffer.from('old and longer'));
    await testStore.interruptPut(key);
    await put(key, Buffer.from('new'));
    expect(String(await read(key))).toBe('new');
    await expect(store.put(key, inPieces(randomBytes(9), new Error('cut')))).rejects.toThrow('cut');
    expect(String(await read(key))).toBe('new');
    await store.delete(key);
    expect((await testStore.keys()).filter((name) => name.startsWith(key))).toEqual([]);
  });

  test('many puts at once do not mix', async () => {
    const blobs = Array.from({ length: 20 }, () => ({
      key: newKey(),
      bytes: randomBytes(200_000),
    }));
    await Promise.all(blobs.map(({ key, bytes }) => put(key, bytes)));
    for (const { key, bytes } of blobs) expect(hashOf(await read(key))).toBe(hashOf(bytes));
  });

  test('a reader who leaves in the middle does no harm', async () => {
    const key = newKey();
    await put(key, randomBytes(1_000_000));
    const stream = await store.get(key);
    stream.destroy();
    expect(await read(key)).toHaveLength(1_000_000);
  });

  test('a text that could lead elsewhere is no key', async () => {
    for (const key of [
      '',
      '..',
      '../x',
      'a/../../x',
      '/etc/passwd',
      'a//b',
      'a/',
      'a.b',
      'a\0',
      'ä',
    ]) {
      const bytes = Readable.from(['x']);
      await expect(store.put(key, bytes), key).rejects.toThrow('is no key');
      await expect(store.get(key), key).rejects.toThrow('is no key');
      await expect(store.delete(key), key).rejects.toThrow('is no key');
    }
  });
});

describe('a folder', () => {
  test('is for its owner alone, and so are the files', async () => {
    const store = await openBlobStore({ folder: join(folder, 'private') }, 'unused');
    await store.put('DE-ABC/x', Readable.from(['secret']));
    for (const path of ['private', 'private/DE-ABC', 'private/DE-ABC/x']) {
      expect((await stat(join(folder, path))).mode & 0o077, path).toBe(0);
    }
    expect(await readFile(join(folder, 'private/DE-ABC/x'), 'utf8')).toBe('secret');
  });

  test('two puts of one key at once: one is refused, and the other is whole', async () => {
    const store = await openBlobStore({ folder: join(folder, 'twice') }, 'unused');
    const contents = ['a', 'b'].map((letter) => Buffer.alloc(300_000, letter));
    const results = await Promise.allSettled(
      contents.map((bytes) => store.put('DE-ABC/x', inPieces(bytes))),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const winner = contents[results.findIndex(({ status }) => status === 'fulfilled')];
    expect(await buffer(await store.get('DE-ABC/x'))).toEqual(winner);
  });

  test('is `blobs` under the data folder when nothing is said', async () => {
    const store = await openBlobStore(undefined, join(folder, 'data'));
    await store.put('DE-ABC/x', Readable.from(['x']));
    expect(existsSync(join(folder, 'data/blobs/DE-ABC/x'))).toBe(true);
  });

  test('that cannot be one stops the start with a sentence', async () => {
    writeFileSync(join(folder, 'file'), '');
    for (const taken of [join(folder, 'file'), join(folder, 'file/below'), '/proc/blobs']) {
      await expect(openBlobStore({ folder: taken }, 'unused')).rejects.toThrow(
        /^BLOB_URL: files cannot be kept in the folder .+ \(E[A-Z]+\)\.$/,
      );
    }
  });
});

test('what is got from an S3 and left unread keeps no connection', async () => {
  const store = await openBlobStore(parseBlobUrl(inBucket().url), 'unused');
  const key = `DE-ABC/${randomUUID()}`;
  await store.put(key, Readable.from([Buffer.alloc(30_000_000)]));
  for (let times = 0; times < 10; times++) (await store.get(key)).destroy();
  // More than what is under way; those that are idle are kept.
  await expect.poll(() => s3.connections()).toBeLessThan(5);
});

test('an S3 that answers more than was asked for is not believed', async () => {
  const store = await openBlobStore(parseBlobUrl(inBucket().url), 'unused');
  await store.put('DE-ABC/first-byte', Readable.from(['abc']));
  // The S3 of the tests takes "up to byte 0" for "up to the end".
  await expect(store.get('DE-ABC/first-byte', { first: 0, last: 0 })).rejects.toThrow('3 bytes');
});

describe('BLOB_URL', () => {
  test.each([
    ['file:///var/lib/blobs', { folder: '/var/lib/blobs' }],
    ['file:/var/lib/blobs', { folder: '/var/lib/blobs' }],
    ['file:///a%20b/', { folder: '/a b/' }],
    ['s3://bucket', { bucket: 'bucket', prefix: '' }],
    ['s3://my.bucket/a/b/', { bucket: 'my.bucket', prefix: 'a/b' }],
    [
      's3://bucket/p?endpoint=http://127.0.0.1:9000&region=eu-1',
      { bucket: 'bucket', prefix: 'p', endpoint: 'http://127.0.0.1:9000', region: 'eu-1' },
    ],
  ])('%s is understood', (text, location) => {
    expect(parseBlobUrl(text)).toEqual(location);
  });

  test.each([
    'nonsense',
    '/var/lib/blobs',
    'http://example.com/',
    'file:blobs',
    'file:./blobs',
    'file://host/blobs',
    'file:////blobs',
    'file:///a%2Fb',
    's3:',
    's3:bucket',
    's3:///prefix',
    's3://B',
    's3://bucket:80/x',
    's3://key:secret@bucket/x',
    's3://bucket/a b',
    's3://bucket/x?region=',
    's3://bucket/x?endpoint=nowhere',
    's3://bucket/x?endpoint=ftp://x',
    's3://bucket/x?regoin=eu-1',
    's3://bucket/x#y',
  ])('%s is refused with a sentence that repeats no secret', (text) => {
    expect(() => parseBlobUrl(text)).toThrow(/^(must be|takes|has an?) [^\n]+\.$/);
    expect(() => parseBlobUrl(text)).not.toThrow('secret');
  });
});

function inPieces(bytes: Buffer, failure?: Error): Readable {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    if (failure) throw failure;
  }
  return Readable.from(pieces());
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
