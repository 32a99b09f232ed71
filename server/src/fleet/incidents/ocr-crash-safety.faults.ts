import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fileStore } from '../../platform/blobs/file-store.ts';
import { letter } from '../../testing/documents/letter.ts';
import { jpegOf, renderPdf } from '../../testing/documents/photograph.ts';
import { lockWaits } from '../../testing/lock-waits.ts';
import { createSandbox, type Sandbox } from '../../testing/sandbox.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { startTestService } from '../../testing/test-service.ts';

/** Processes that are killed in every state of a recognition. */

let sandbox: Sandbox;
let picture: Buffer;
beforeAll(async () => {
  sandbox = createSandbox();
  const pdf = await letter([['Unfallort: Torstraße 1, Berlin', 'Fahrer: Jürgen Groß']]);
  picture = await jpegOf(await renderPdf(pdf, 1_600));
});
afterAll(() => sandbox.close());

const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 200_000, interval: 20 });

/** A service that runs no jobs, an incident with a picture, and workers on the same database and files. */
async function startRecognition(name: string) {
  const database = await createTestDatabase();
  const folder = sandbox.dataDir(name);
  const service = await startTestService({ database, blobs: fileStore(`${folder}/blobs`) });
  const env = { ...database.env, DATA_DIR: folder };
  await service.call('PUT', '/DE*ABC*OCR', { information: {} });
  const { json } = await service.call('POST', '/DE*ABC*OCR/incidents', {
    title: 'Collision',
    vehicleOperable: true,
    isResolved: false,
  });
  const files = `/DE*ABC*OCR/blobs/incidents/${json.id}`;
  const { json: blob } = await service.call('POST', files, { filename: 'statement.jpg' });
  return {
    ...service,
    database,
    async upload() {
      await service.send({
        method: 'PUT',
        path: `/api/fleets/v1/DE/ABC${files}/${blob.uuid}`,
        headers: { authorization: `Bearer ${await service.token()}` },
        body: picture,
      });
    },
    async startWorker() {
      const worker = sandbox.spawn(['worker'], { env });
      await eventually(() => expect(worker.stdout()).toContain('"working"'));
      return worker;
    },
    ocr: async () => (await service.call('GET', `/DE*ABC*OCR/incidents/${json.id}/ocr`)).json,
    async close() {
      await service.stop();
      await database.drop();
    },
  };
}

/** The processes that read a document for another one. */
function readersOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        const [, parent] = /^\d+ \(.*\) \S (\d+)/s.exec(
          readFileSync(`/proc/${name}/stat`, 'utf8'),
        ) ?? ['', ''];
        const isReader = command.includes('reading-process.ts') && Number(parent) === pid;
        return isReader ? [Number(name)] : [];
      } catch {
        // It has exited meanwhile.
        return [];
      }
    });
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test.concurrent('a worker killed while it reads takes its reader with it, and another reads the document', {
  timeout: 600_000,
}, async ({ onTestFinished }) => {
  const setup = await startRecognition('reading');
  onTestFinished(setup.close);
  await setup.upload();
  const killed = await setup.startWorker();
  await eventually(() => expect(readersOf(killed.pid)).toHaveLength(1));
  const [reader = 0] = readersOf(killed.pid);
  killed.kill('SIGKILL');
  await killed.ended;
  await eventually(() => expect(isAlive(reader)).toBe(false));
  expect(await setup.ocr()).toMatchObject({ status: 'PROCESSING' });
  const other = await setup.startWorker();
  await eventually(async () => expect((await setup.ocr()).status).toBe('PROCESSED'));
  expect((await setup.ocr()).documents[0].pages[0]).toContain('Torstraße 1, Berlin');
  other.kill('SIGTERM');
  await other.ended;
});

test.concurrent('a worker killed before it stores the result: another reads the document, and MANUAL meanwhile stays', {
  timeout: 600_000,
}, async ({ onTestFinished }) => {
  const setup = await startRecognition('storing');
  onTestFinished(setup.close);
  await setup.upload();
  const client = new pg.Client(setup.database.connection);
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from incidents for update');
  const killed = await setup.startWorker();
  await eventually(async () => expect(await lockWaits(setup.db)).toBe(1));
  killed.kill('SIGKILL');
  await killed.ended;
  await client.query(`update incidents set ocr_status = 'MANUAL'`);
  await client.query('commit');
  await client.end();
  const other = await setup.startWorker();
  await eventually(async () => expect(await setup.db.query(openRecognitions)).toEqual([]));
  expect(await setup.db.query(recognitions)).toContainEqual({ state: 'completed', tries: 2 });
  expect(await setup.ocr()).toMatchObject({ status: 'MANUAL', documents: [{ pages: [] }] });
  other.kill('SIGTERM');
  await other.ended;
});

const recognitions = `
  select state::text, retry_count + 1 as tries from pgboss.job where name = 'recognise-incident'`;
// A worker that starts adds one for what it finds unfinished.
const openRecognitions = `${recognitions} and state <> 'completed'`;

test.concurrent('a reader that is killed is started again, and given up with the reason after three', {
  timeout: 600_000,
}, async ({ onTestFinished }) => {
  const setup = await startRecognition('reader');
  onTestFinished(setup.close);
  await setup.upload();
  const worker = await setup.startWorker();
  const killed = new Set<number>();
  const killNext = async () => {
    await eventually(() => {
      const [reader] = readersOf(worker.pid).filter((pid) => !killed.has(pid));
      if (reader === undefined) throw new Error('nothing is read');
      process.kill(reader, 'SIGKILL');
      killed.add(reader);
    });
  };
  await killNext();
  await eventually(async () => expect((await setup.ocr()).status).toBe('PROCESSED'));
  // The one that has given its result is not to be counted among the killed.
  await eventually(() => expect(readersOf(worker.pid)).toEqual([]));
  await setup.upload();
  for (let times = 0; times < 3; times++) await killNext();
  await eventually(async () => expect((await setup.ocr()).status).toBe('ERROR'));
  expect((await setup.ocr()).reason).toBe(
    'statement.jpg: The process that read it ended unexpectedly.',
  );
  worker.kill('SIGTERM');
  await worker.ended;
});
