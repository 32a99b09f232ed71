import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileStore } from '../platform/blobs/file-store.ts';
import { createServed, type Served } from '../testing/serve.ts';

let served: Served;

beforeAll(async () => {
  served = await createServed();
});
afterAll(() => served.close());

test('a setting for files that makes no sense stops the start with one clear sentence', async () => {
  const file = join(served.folder, 'file');
  writeFileSync(file, '');
  for (const [env, sentence] of [
    [{ BLOB_URL: 'nonsense' }, /^motorpool: BLOB_URL: must be a folder such as [^\n]+\.\n$/],
    [{ BLOB_URL: 's3://bucket/x?regoin=eu-1' }, /^motorpool: BLOB_URL: [^\n]+"regoin"\.\n$/],
    [{ BLOB_URL: `file://${file}` }, /^motorpool: BLOB_URL: [^\n]+\/file \(ENOTDIR\)\.\n$/],
    [{ UPLOAD_LIMIT_BYTES: '50 MB' }, /^motorpool: UPLOAD_LIMIT_BYTES: must be [^\n]+"50 MB"\.\n$/],
  ] as const) {
    const { code, stdout, stderr } = await served.run({ ...env, LOG_LEVEL: 'silent' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(sentence);
  }
});

test('a start makes the folder, and sweeps bytes that nobody has owned for an hour', async () => {
  const folder = join(served.folder, 'data/blobs');
  await fileStore(folder).put('DE-ABC/left', Readable.from(['left']));
  await served.db.query(
    `insert into stored_objects (provider, key, created_at)
     values ('DE-ABC', 'DE-ABC/left', now() - interval '2 hours')`,
  );
  const { kill, ended } = await served.start({ DATA_DIR: join(served.folder, 'data') });
  while (existsSync(join(folder, 'DE-ABC/left'))) await sleep(10);
  while ((await served.db.query('select 1 from stored_objects')).length > 0) await sleep(10);
  kill();
  await ended;
});
