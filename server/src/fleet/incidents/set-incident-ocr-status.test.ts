import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { upload } from '../../testing/uploads.ts';
import { exampleRequest } from './incident.ts';

let service: TestService;
const vehicle = 'DE*ABC*T0000';

beforeAll(async () => {
  service = await startTestService();
  await makeFleet(service.db, 'DE', 'ABC', 9);
});
afterAll(() => service.stop());

async function report(body: object = exampleRequest) {
  const answer = await service.call('POST', `/${vehicle}/incidents`, body);
  return { ...answer, id: answer.json.id, path: `/${vehicle}/incidents/${answer.json.id}` };
}

const all = ['NOT_STARTED', 'MANUAL', 'PROCESSING', 'PROCESSED', 'ERROR'];
const asStatus = (id: string, status: string) =>
  service.db.query('update incidents set ocr_status = $2 where id = $1', [id, status]);

test('MANUAL is possible from every status and keeps the rest', async () => {
  for (const status of all) {
    const { path, id, json } = await report();
    await asStatus(id, status);
    const answer = await service.call('POST', `${path}/ocr`, { status: 'MANUAL' });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ ...json, ocrStatus: 'MANUAL' });
  }
});

test('is a change like any other: a new ETag, and If-Match holds; said again it is none', async () => {
  const { path, headers } = await report();
  const ifMatch = { 'if-match': String(headers.etag) };
  const first = await service.call('POST', `${path}/ocr`, { status: 'MANUAL' }, ifMatch);
  expect(first.headers.etag).not.toBe(headers.etag);
  const again = await service.call('POST', `${path}/ocr`, { status: 'MANUAL' });
  expect(again.headers.etag).toBe(first.headers.etag);
  const late = await service.call('POST', `${path}/ocr`, { status: 'MANUAL' }, ifMatch);
  expect(late.status).toBe(412);
});

test('every other move is 409, says which are possible, and changes nothing', async () => {
  const { path, id } = await report();
  for (const from of all) {
    await asStatus(id, from);
    for (const status of ['NOT_STARTED', 'PROCESSED', 'ERROR']) {
      const answer = await service.call('POST', `${path}/ocr`, { status });
      expect(answer.status, `${from} to ${status}`).toBe(409);
      expect(answer.json.detail).toBe(
        `The OCR status is ${from}. A request can make it MANUAL or PROCESSING, not ${status}.`,
      );
    }
    expect((await service.call('GET', path)).json.ocrStatus).toBe(from);
  }
});

test('PROCESSING is possible from every status where there is a document, and 409 where there is none', async () => {
  for (const from of all) {
    const { path, id } = await report();
    await asStatus(id, from);
    expect((await service.call('POST', `${path}/ocr`, { status: 'PROCESSING' })).status).toBe(409);
    const files = `/${vehicle}/blobs/incidents/${id}`;
    const { json: file } = await service.call('POST', files, { filename: 'note.txt' });
    await upload(service, `${files}/${file.uuid}`, 'a note');
    await asStatus(id, from);
    const { status, json } = await service.call('POST', `${path}/ocr`, { status: 'PROCESSING' });
    expect([status, json.ocrStatus], from).toEqual([200, 'PROCESSING']);
    await service.runJobs();
    expect((await service.call('GET', path)).json.ocrStatus).toBe('ERROR');
  }
});

test('a word that is no status is 400 with those that are', async () => {
  const { path } = await report();
  for (const body of [{ status: 'DONE' }, { status: 'manual' }, { status: null }, {}]) {
    const { status, json } = await service.call('POST', `${path}/ocr`, body);
    expect(status).toBe(400);
    expect(json.errors[0].pointer).toBe('/status');
  }
  const { json } = await service.call('POST', `${path}/ocr`, { status: 'DONE' });
  expect(json.detail).toContain(all.join(', '));
});
