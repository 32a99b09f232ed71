import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { pacedBytes, pacedUpload } from './paced-bytes.ts';

function recordingPace() {
  const done: { tenant: string; ms: number }[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const begin = (tenant: string, ms = 0) => {
    done.push({ tenant, ms });
    return () => gate;
  };
  return { pace: { begin }, done, open };
}

const chunk = Buffer.alloc(65_536, 'x');

test('bytes wait for the turns of their tenant, and come as they were', async () => {
  const { pace, done, open } = recordingPace();
  let read = 0;
  const source = Readable.from(
    (function* () {
      for (; read < 64; read++) yield chunk;
    })(),
    { objectMode: false },
  );
  const received = buffer(pacedBytes(source, 'DE-ABC', pace));
  await expect.poll(() => done.length).toBe(1);
  // What fits into the buffers of the streams is read ahead.
  expect(read).toBeLessThan(16);
  open();
  expect((await received).equals(Buffer.concat(Array(64).fill(chunk)))).toBe(true);
  expect(done.every(({ tenant }) => tenant === 'DE-ABC')).toBe(true);
  expect(done.reduce((sum, { ms }) => sum + ms, 0)).toBeCloseTo(32);
});

test('a reader that goes away ends what is read, also before the first byte', async () => {
  const source = Readable.from([chunk], { objectMode: false });
  pacedBytes(source, 'DE-ABC').destroy();
  await expect.poll(() => source.destroyed).toBe(true);
});

test('what cannot be read fails', async () => {
  const source = new Readable({ read: () => source.destroy(new Error('the disk is gone')) });
  await expect(buffer(pacedBytes(source, 'DE-ABC'))).rejects.toThrow('the disk is gone');
});

test('what is uploaded waits for the turns of its tenant, and the end is after the last of them', async () => {
  const { pace, done, open } = recordingPace();
  let read = 0;
  async function* chunks() {
    for (; read < 64; read++) yield chunk;
  }
  const received = buffer(
    Readable.from(pacedUpload(chunks(), 'DE-ABC', pace), { objectMode: false }),
  );
  await expect.poll(() => done.length).toBe(1);
  expect(read).toBeLessThan(16);
  open();
  expect((await received).equals(Buffer.concat(Array(64).fill(chunk)))).toBe(true);
  expect(done.reduce((sum, { ms }) => sum + ms, 0)).toBeCloseTo(64);
});
