import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { halves } from '../../testing/images.ts';
import { Overloaded } from '../db/admission-queue.ts';
import { type ConverterLimits, createImageConverter } from './image-converter.ts';

const limits: Partial<ConverterLimits> = {
  processes: 1,
  maxWaiting: 2,
  maxWaitingOfTenant: 2,
  maxWaitMs: 60_000,
  maxRunMs: 60_000,
};
const conversion = { sizes: [8, 16] };
let folder: string;
let image: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'motorpool-converter-'));
  image = await halves(32, 16).png().toBuffer();
});
afterAll(() => rm(folder, { recursive: true }));

/** A converter whose worker is another program. */
async function converterOf(program: string, changed: Partial<ConverterLimits> = {}) {
  const path = join(folder, `${Math.random()}.mjs`);
  await writeFile(path, program);
  return createImageConverter({ ...limits, ...changed }, path);
}
const open = async () => Readable.from([image]);

test('makes every size in both formats', async () => {
  const converted = await createImageConverter(limits).convert('A', open, conversion);
  const renditions = 'renditions' in converted ? converted.renditions : [];
  expect(
    renditions.map(({ size, format, width, height }) => [size, format, width, height]),
  ).toEqual([
    [8, 'webp', 8, 4],
    [8, 'avif', 8, 4],
    [16, 'webp', 16, 8],
    [16, 'avif', 16, 8],
  ]);
  for (const { data, bytes } of renditions) expect(data).toHaveLength(bytes);
});

test('a worker that does not end is killed, and one that crashes takes nobody with it', async () => {
  const hanging = await converterOf('process.stdin.resume(); setInterval(() => {}, 1000);', {
    maxRunMs: 500,
  });
  expect(await hanging.convert('A', open, conversion)).toEqual({ failure: 'damaged' });
  const crashing = await converterOf(
    "process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 1000);",
  );
  expect(await crashing.convert('A', open, conversion)).toEqual({ failure: 'damaged' });
});

test('a worker that cannot work is an error of the service', async () => {
  const failing = await converterOf("throw new Error('no library');");
  await expect(failing.convert('A', open, conversion)).rejects.toThrow('no library');
  const babbling = await converterOf(`process.stdout.write('{"renditions":[]}\\nmore')`);
  await expect(babbling.convert('A', open, conversion)).rejects.toThrow('number of bytes');
  for (const sizes of [
    [6, -2],
    [2.5, 1.5],
    [0, '4'],
  ]) {
    const head = JSON.stringify({ renditions: sizes.map((bytes) => ({ bytes })) });
    const lying = await converterOf(`process.stdout.write(${JSON.stringify(`${head}\n1234`)})`);
    await expect(lying.convert('A', open, conversion)).rejects.toThrow('number of bytes');
  }
});

test('it is isolated: without the environment, and without rights', async () => {
  const telling = await converterOf(
    `const { permission, env } = process;
     const rights = ['fs.write', 'child'].filter((right) => permission?.has(right) ?? true);
     throw new Error(JSON.stringify({ rights, environment: Object.keys(env) }));`,
  );
  await expect(telling.convert('A', open, conversion)).rejects.toThrow(
    '{"rights":[],"environment":["MALLOC_ARENA_MAX"]}',
  );
});

test('one that takes too much memory or processor time is ended', async () => {
  const large = await halves(4_000, 4_000).jpeg().toBuffer();
  for (const changed of [{ megabytes: 20 }, { seconds: 0.05 }]) {
    const converter = createImageConverter({ ...limits, ...changed });
    const converted = converter.convert('A', async () => Readable.from([large]), {
      sizes: [2_000, 4_000],
    });
    expect(await converted).toEqual({ failure: 'damaged' });
  }
});

test('one works at a time, few wait, and those of all tenants take turns', async () => {
  const slow = await converterOf(
    `process.stdin.resume(); process.stdin.on('end', () => setTimeout(() => process.stdout.write('{"failure":"damaged"}\\n'), 200));`,
  );
  const order: string[] = [];
  let running = 0;
  let most = 0;
  const convert = async (tenant: string, name: string) => {
    try {
      await slow.convert(
        tenant,
        async () => {
          order.push(name);
          running += 1;
          most = Math.max(most, running);
          return Readable.from([image]);
        },
        conversion,
      );
    } finally {
      running -= 1;
    }
  };
  const refused = (run: Promise<void>) =>
    run.then(
      () => undefined,
      (error) => error,
    );
  const runs = [
    convert('A', 'A1'),
    convert('A', 'A2'),
    convert('A', 'A3'),
    refused(convert('A', 'A4')),
    convert('B', 'B1'),
    refused(convert('C', 'C1')),
  ];
  const [, , , fourth, , other] = await Promise.all(runs);
  expect([fourth, other]).toEqual([expect.any(Overloaded), expect.any(Overloaded)]);
  expect([(fourth as Overloaded).scope, (other as Overloaded).scope]).toEqual(['tenant', 'all']);
  expect(order).toEqual(['A1', 'A2', 'B1', 'A3']);
  expect(most).toBe(1);
});

test('an image of a tenant that takes long delays those of no other', async () => {
  const converter = createImageConverter({ ...limits, processes: 2 });
  const sources = [new PassThrough(), new PassThrough()];
  const long = sources.map((source) => converter.convert('A', async () => source, conversion));
  for (const tenant of ['B', 'C'])
    expect(await converter.convert(tenant, open, conversion)).toHaveProperty('renditions');
  for (const source of sources) source.end(image);
  for (const converted of long) expect(await converted).toHaveProperty('renditions');
});

test('who waits too long is refused', async () => {
  const slow = await converterOf('process.stdin.resume(); setInterval(() => {}, 1000);', {
    maxWaitMs: 100,
    maxRunMs: 1_000,
  });
  const first = slow.convert('A', open, conversion);
  await expect(slow.convert('A', open, conversion)).rejects.toThrow(Overloaded);
  expect(await first).toEqual({ failure: 'damaged' });
});
