import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import { fileStore } from '../../platform/blobs/file-store.ts';
import { letter } from '../../testing/documents/letter.ts';
import { createSandbox, type Sandbox } from '../../testing/sandbox.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { maxWaiting } from '../record-queue.ts';
import { exampleRequest } from './incident.ts';
import { recogniseIncident, resumeRecognition } from './recognition/recognise-incident.ts';

/** From an uploaded document to suggestions that a person takes or leaves. */

let sandbox: Sandbox;
let service: TestService;
/** Called before a blob is read. */
let beforeRead: () => Promise<void>;
const vehicle = 'DE*ABC*OCR';
const bare = { title: 'Collision', vehicleOperable: true, isResolved: false };

beforeAll(async () => {
  sandbox = createSandbox();
  const files = await fileStore(sandbox.dataDir('blobs'));
  const blobs: BlobStore = {
    ...files,
    async get(key, range) {
      await beforeRead();
      return files.get(key, range);
    },
  };
  service = await startTestService({ blobs });
  await service.call('PUT', `/${vehicle}`, { information: { licensePlate: 'B-MP 1234' } });
});
afterAll(async () => {
  await service.stop();
  await sandbox.close();
});
beforeEach(() => {
  beforeRead = async () => {};
});
afterEach(() => service.runJobs());

const statement = (place: string) =>
  letter([
    [
      'Unfalldatum: 14.11.2025, 17:20 Uhr',
      `Unfallort: ${place}`,
      'Kennzeichen: B-MP 1234',
      'Ursache: Zu spät gebremst',
      'Fahrer: Jürgen Schäfer',
      'Unfallgegner: Erika Beispiel, M-XY 987',
    ],
  ]);
const place = 'Torstraße 1, Berlin';

async function report(body: object = bare) {
  const { json } = await service.call('POST', `/${vehicle}/incidents`, body);
  const path = `/${vehicle}/incidents/${json.id}`;
  const files = `/${vehicle}/blobs/incidents/${json.id}`;
  const put = async (uuid: string, bytes: Buffer) => {
    const sent = await service.send({
      method: 'PUT',
      path: `/api/fleets/v1/DE/ABC${files}/${uuid}`,
      headers: { authorization: `Bearer ${await service.token()}` },
      body: bytes,
    });
    expect(sent.status).toBe(200);
  };
  return {
    id: json.id as string,
    path,
    files,
    put,
    async upload(bytes: Buffer, filename = 'statement.pdf'): Promise<string> {
      const { json: blob } = await service.call('POST', files, { filename });
      await put(blob.uuid, bytes);
      return blob.uuid;
    },
    read: async () => (await service.call('GET', path)).json,
    ocr: async () => (await service.call('GET', `${path}/ocr`)).json,
    ask: (status: string) => service.call('POST', `${path}/ocr`, { status }),
    decide: (uuid: string, field: string, decision: string, headers = {}) =>
      service.call('POST', `${path}/ocr/${uuid}/${field}`, { decision }, headers),
  };
}

test('an upload moves the status to PROCESSING at once, and the job to PROCESSED with text and suggestions', async () => {
  const incident = await report();
  expect(await incident.ocr()).toEqual({ status: 'NOT_STARTED', documents: [] });
  const uuid = await incident.upload(await statement(place));
  expect((await incident.read()).ocrStatus).toBe('PROCESSING');
  expect((await incident.ocr()).documents).toMatchObject([
    { blobUuid: uuid, status: 'PROCESSING', pages: [], suggestions: [] },
  ]);
  await service.runJobs();
  const { status, documents } = await incident.ocr();
  expect([status, documents.length]).toEqual(['PROCESSED', 1]);
  expect(documents[0]).toMatchObject({ status: 'PROCESSED', source: 'text-layer', pageCount: 1 });
  expect(documents[0].pages[0]).toContain(place);
  expect(documents[0].suggestions).toMatchObject([
    { field: 'incidentTimestamp', value: '2025-11-14T16:20:00.000Z' },
    { field: 'location', value: place, confidence: 1, page: 1, decision: 'open' },
    { field: 'licensePlate', value: 'B-MP 1234' },
    { field: 'cause', value: 'Zu spät gebremst' },
    { field: 'driver', value: 'Jürgen Schäfer' },
    { field: 'opponent', value: 'Erika Beispiel, M-XY 987' },
  ]);
  const { box } = documents[0].suggestions[1];
  expect(box.x).toBeGreaterThan(0.1);
  expect(box.y).toBeLessThan(0.2);
  expect(await incident.read()).toMatchObject(bare);
});

test('what cannot be read is ERROR with the reason; asked again after a new upload it is PROCESSED', async () => {
  const incident = await report();
  const uuid = await incident.upload(Buffer.from('%PDF-1.7 of nothing'));
  await service.runJobs();
  expect(await incident.ocr()).toMatchObject({
    status: 'ERROR',
    reason: 'statement.pdf: It cannot be decoded.',
    documents: [{ status: 'ERROR', reason: 'It cannot be decoded.' }],
  });
  const again = await incident.ask('PROCESSING');
  expect([again.status, again.json.ocrStatus]).toEqual([200, 'PROCESSING']);
  await service.runJobs();
  expect((await incident.ocr()).status).toBe('ERROR');
  await incident.put(uuid, await statement(place));
  await service.runJobs();
  expect(await incident.ocr()).toMatchObject({
    status: 'PROCESSED',
    documents: [{ pageCount: 1 }],
  });
});

test('files of other types count only where there is no document', async () => {
  const incident = await report();
  await incident.upload(Buffer.from('a note'), 'note.txt');
  await service.runJobs();
  expect(await incident.ocr()).toMatchObject({
    status: 'ERROR',
    reason: 'note.txt: It is neither a PDF nor a picture.',
  });
  await incident.upload(await statement(place));
  await service.runJobs();
  const { status, documents } = await incident.ocr();
  expect([status, ...documents.map((one: { status: string }) => one.status)]).toEqual([
    'PROCESSED',
    'ERROR',
    'PROCESSED',
  ]);
});

test('nothing can be asked for without a document, and without one left it has not started', async () => {
  const incident = await report();
  expect((await incident.ask('PROCESSING')).json.type).toContain('no-document');
  const uuid = await incident.upload(await statement(place));
  await service.call('DELETE', `${incident.files}/${uuid}`);
  await service.runJobs();
  expect(await incident.ocr()).toEqual({ status: 'NOT_STARTED', documents: [] });
});

test('MANUAL discards a result that comes later, and later uploads are not read until somebody asks', async () => {
  const incident = await report();
  await incident.upload(await statement(place));
  beforeRead = async () => {
    expect((await incident.ask('MANUAL')).status).toBe(200);
  };
  await service.runJobs();
  expect(await incident.ocr()).toMatchObject({
    status: 'MANUAL',
    documents: [{ status: 'PROCESSING', suggestions: [] }],
  });
  beforeRead = async () => {};
  await incident.upload(await statement('Marktplatz 4, Stuttgart'), 'second.pdf');
  expect(await service.runJobs()).toBe(0);
  expect((await incident.read()).ocrStatus).toBe('MANUAL');
  await incident.ask('PROCESSING');
  await service.runJobs();
  const { status, documents } = await incident.ocr();
  expect([status, documents[0].pageCount, documents[1].pageCount]).toEqual(['PROCESSED', 1, 1]);
});

test('a document that is replaced or added while one is read is read as well, and the old result is not stored', async () => {
  const incident = await report();
  const uuid = await incident.upload(await statement('an old place'));
  let times = 0;
  beforeRead = async () => {
    if (times++ > 0) return;
    await incident.put(uuid, await statement(place));
    await incident.upload(await statement('Marktplatz 4, Stuttgart'), 'second.pdf');
  };
  await service.runJobs();
  const { status, documents } = await incident.ocr();
  expect(status).toBe('PROCESSED');
  expect(JSON.stringify(documents)).not.toContain('an old place');
  expect(documents[0].pages[0]).toContain(place);
  expect(documents[1].pages[0]).toContain('Marktplatz 4');
});

test.each(['PROCESSED', 'MANUAL'])(
  'what was read in a document is gone as soon as it is replaced: %s',
  async (status) => {
    const incident = await report();
    const uuid = await incident.upload(await statement('an old place'));
    await service.runJobs();
    if (status === 'MANUAL') await incident.ask('MANUAL');
    await incident.put(uuid, await statement(place));
    const { documents } = await incident.ocr();
    expect(documents).toMatchObject([{ status: 'PROCESSING', suggestions: [] }]);
    expect(JSON.stringify(documents)).not.toContain('an old place');
  },
);

test('a suggestion that is taken fills an empty field, or becomes a line of the notes', async () => {
  const incident = await report({ ...bare, notes: 'Typed.' });
  const uuid = await incident.upload(await statement(place));
  await service.runJobs();
  const before = await service.call('GET', incident.path);
  const taken = await incident.decide(uuid, 'location', 'take', {
    'if-match': String(before.headers.etag),
  });
  expect(taken.json).toMatchObject({ location: place, notes: 'Typed.' });
  const late = await incident.decide(uuid, 'cause', 'take', {
    'if-match': String(before.headers.etag),
  });
  expect(late.status).toBe(412);
  await incident.decide(uuid, 'incidentTimestamp', 'take');
  const { json } = await incident.decide(uuid, 'driver', 'take');
  expect(json).toMatchObject({
    incidentTimestamp: '2025-11-14T16:20:00.000Z',
    notes: 'Typed.\nDriver: Jürgen Schäfer',
  });
  const again = await incident.decide(uuid, 'driver', 'take');
  expect([again.status, again.json]).toEqual([200, json]);
  expect((await incident.decide(uuid, 'driver', 'leave')).json.type).toContain('taken-already');
  expect((await incident.decide(uuid, 'cause', 'leave')).json).toEqual(json);
  const decisions = (await incident.ocr()).documents[0].suggestions.map(
    ({ field, decision }: { field: string; decision: string }) => `${field} ${decision}`,
  );
  expect(decisions).toEqual([
    'incidentTimestamp taken',
    'location taken',
    'licensePlate open',
    'cause left',
    'driver taken',
    'opponent open',
  ]);
});

test('nothing that a person has typed is overwritten, neither by the job nor by taking', async () => {
  const incident = await report(exampleRequest);
  const uuid = await incident.upload(await statement('Elsewhere 5, Bonn'));
  await service.runJobs();
  expect(await incident.read()).toMatchObject(exampleRequest);
  const { status, json } = await incident.decide(uuid, 'location', 'take');
  expect([status, json.type]).toEqual([409, expect.stringContaining('field-has-a-value')]);
  expect(await incident.read()).toMatchObject(exampleRequest);
});

test('asking again keeps the decisions on values that stay', async () => {
  const incident = await report();
  const uuid = await incident.upload(await statement(place));
  await service.runJobs();
  await incident.decide(uuid, 'cause', 'leave');
  await incident.ask('PROCESSING');
  await service.runJobs();
  const [document] = (await incident.ocr()).documents;
  const cause = document.suggestions.find(({ field }: { field: string }) => field === 'cause');
  expect(cause.decision).toBe('left');
  await incident.decide(uuid, 'cause', 'take');
  expect((await incident.read()).cause).toBe('Zu spät gebremst');
});

test('what was read is deleted with the file, with the incident, and with the customer', async () => {
  const { mobilityProviderCountryCode, mobilityProviderCode, customerId } = exampleRequest.customer;
  const user = `/users/${mobilityProviderCountryCode}/${mobilityProviderCode}/${customerId}`;
  const incident = await report(exampleRequest);
  const first = await incident.upload(await statement(place));
  await incident.upload(await statement(place), 'second.pdf');
  await service.runJobs();
  const stored = async () =>
    (
      await service.db.query('select 1 from incident_documents where incident_id = $1', [
        incident.id,
      ])
    ).length;
  expect(await stored()).toBe(2);
  const exported = await service.call('GET', `${user}/export`);
  expect(JSON.stringify(exported.json.incidents.items)).toContain('Unfallgegner: Erika Beispiel');
  await service.call('DELETE', `${incident.files}/${first}`);
  expect(await stored()).toBe(1);
  await service.call('DELETE', user);
  await service.runJobs();
  expect(await stored()).toBe(0);
  expect((await incident.ocr()).status).toBe('MANUAL');
  await incident.ask('PROCESSING');
  await service.runJobs();
  expect(await stored()).toBe(1);
  await service.call('DELETE', incident.path);
  expect(await stored()).toBe(0);
});

test('files of an erased customer are not read again with the next upload, whether they were read before or not', async () => {
  const customer = { ...exampleRequest.customer, customerId: randomUUID() };
  const incident = await report({ ...exampleRequest, customer });
  await incident.upload(await statement(place));
  await service.runJobs();
  await incident.upload(await statement(place), 'unread.pdf');
  await service.call('DELETE', `/users/DE/MOB/${customer.customerId}`);
  await service.runJobs();
  await incident.upload(await statement(place), 'later.pdf');
  await service.runJobs();
  const { status, documents } = await incident.ocr();
  expect(status).toBe('MANUAL');
  expect(JSON.stringify(documents)).not.toContain('Beispiel');
});

test('an incident without files whose customer is erased has those that come later read', async () => {
  const customer = { ...exampleRequest.customer, customerId: randomUUID() };
  const incident = await report({ ...exampleRequest, customer });
  await service.call('DELETE', `/users/DE/MOB/${customer.customerId}`);
  await service.runJobs();
  await incident.upload(await statement(place));
  await service.runJobs();
  expect((await incident.ocr()).status).toBe('PROCESSED');
});

test('an incident that waits without a job is resumed', async () => {
  const incident = await report();
  await incident.upload(await statement(place));
  await service.owner.query('delete from pgboss.job where name = $1', ['recognise-incident']);
  expect(await service.runJobs()).toBe(0);
  const { db, jobs } = service.dependencies;
  await db.transaction((tx) => jobs.add(tx, resumeRecognition, {}));
  await service.runJobs();
  expect((await incident.ocr()).status).toBe('PROCESSED');
});

test('of very many incidents that wait, some are in the queue at a time, and those of every provider are resumed', async () => {
  const { db, jobs } = service.dependencies;
  const many = `with incidents as (
    select case when n < 3 then 'FR-XYZ' else 'DE-ABC' end as provider, 'V1' as vehicle_id, gen_random_uuid() as id,
      'PROCESSING' as ocr_status
    from generate_series(1, 10003) n)`;
  const query = <Row>(text: string, values?: readonly unknown[]) =>
    db.queryUnprepared<Row>(`${many} ${text}`, values);
  const resume = async (payload: { provider?: string }) => {
    const added: string[] = [];
    const add = async (
      _tx: unknown,
      kind: { name: string },
      { provider }: { provider?: string },
    ) => {
      added.push(`${kind.name} ${provider}`);
    };
    const context = { ...service.dependencies, tx: { ...db, query }, jobs: { ...jobs, add } };
    await resumeRecognition.run(payload, context as never);
    return added;
  };
  expect(await resume({})).toEqual(['resume-recognition DE-ABC', 'resume-recognition FR-XYZ']);
  expect(await resume({ provider: 'FR-XYZ' })).toHaveLength(2);
  const resumed = await resume({ provider: 'DE-ABC' });
  expect(resumed.slice(0, -1)).toEqual(
    Array.from({ length: maxWaiting }, () => 'recognise-incident DE-ABC'),
  );
  expect(resumed.at(-1)).toBe('resume-recognition DE-ABC');
});

test('an incident that comes while many of its provider are in the queue waits in its table until these are done', async () => {
  const { db, jobs } = service.dependencies;
  const many = Array.from({ length: maxWaiting }, () => ({
    provider: 'DE-ABC',
    vehicleId: vehicle,
    incidentId: randomUUID(),
  }));
  await db.transaction(async (tx) => {
    for (const one of many) await jobs.add(tx, recogniseIncident, one);
  });
  const waiting = async (name: string) =>
    (
      await service.owner.query(
        `select from pgboss.job where name = $1 and group_id = 'DE-ABC' and state < 'active'`,
        [name],
      )
    ).length;
  const incidents = [await report(), await report()];
  for (const incident of incidents) await incident.upload(await statement(place));
  expect(await waiting('recognise-incident')).toBe(maxWaiting);
  expect(await waiting('resume-recognition')).toBe(1);

  await service.runJobs();
  for (const incident of incidents) expect((await incident.ocr()).status).toBe('PROCESSING');
  await service.owner.query(
    `update pgboss.job set start_after = now() where name = 'resume-recognition' and state < 'active'`,
  );
  await service.runJobs();
  for (const incident of incidents) expect((await incident.ocr()).status).toBe('PROCESSED');
  expect(await waiting('resume-recognition')).toBe(0);
});

test('a store that does not answer leaves the status, and the job is tried again', async () => {
  const incident = await report();
  await incident.upload(await statement(place));
  beforeRead = async () => {
    throw new Error('the store is gone');
  };
  await expect(service.runJobs()).rejects.toThrow('the store is gone');
  expect((await incident.ocr()).status).toBe('PROCESSING');
  beforeRead = async () => {};
  await service.owner.query(
    `update pgboss.job set state = 'retry', start_after = now() where name = $1 and state = 'active'`,
    ['recognise-incident'],
  );
  await service.runJobs();
  expect((await incident.ocr()).status).toBe('PROCESSED');
});
