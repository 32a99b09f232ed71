import { randomUUID } from 'node:crypto';
import PDFDocument from 'pdfkit';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pdfWith } from '../../testing/electronic-invoices.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { maxWaiting } from '../record-queue.ts';
import { exampleRequest } from './invoice-examples.ts';
import { storeReading, waitingReceipt } from './receipts/reading-store.ts';
import { recogniseReceipt, resumeReceipts } from './receipts/recognise-receipt.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ uploadLimitBytes: 30_000_000 });
  await makeFleet(service.db, 'DE', 'ABC', 3);
  await service.db.query(
    `update vehicles set license_plate = 'HH-MP 1001' where id = 'DE*ABC*T0007'`,
  );
});
afterAll(() => service.stop());
beforeEach(() => service.db.query('delete from invoices'));

async function post(body: Buffer) {
  return service.send({
    method: 'POST',
    path: '/api/fleets/v1/DE/ABC/invoices/documents',
    headers: { authorization: `Bearer ${await service.token()}` },
    body,
  });
}

const receipt = [
  'Waschpark Nord GmbH',
  'Beleg-Nr. 4711',
  'Datum 02.11.2026',
  'Kennzeichen HH-MP 1001',
  'Summe EUR 14,90',
];

test('a PDF without an electronic invoice becomes a draft (201), whose text suggests its fields', async () => {
  const made = await post(await pdfWith({}, receipt.join('\n')));
  expect(made.status).toBe(201);
  expect(made.json).toMatchObject({
    status: 'draft',
    lines: [],
    blobs: [{ filename: 'receipt.pdf', uploaded: true }],
  });
  const path = `/invoices/${made.json.id}`;
  const waiting = await service.call('GET', `${path}/ocr`);
  expect(waiting.json).toMatchObject({ status: 'PROCESSING', pages: [], suggestions: [] });
  await service.runJobs();
  const { json } = await service.call('GET', `${path}/ocr`);
  expect(json).toMatchObject({
    status: 'PROCESSED',
    blobUuid: made.json.blobs[0].uuid,
    source: 'text-layer',
    pageCount: 1,
  });
  const fields = json.suggestions.map(({ field, value }: Record<string, string>) => [field, value]);
  expect(Object.fromEntries(fields)).toEqual({
    number: '4711',
    issueDate: '2026-11-02',
    supplierName: 'Waschpark Nord GmbH',
    currency: 'EUR',
    payableAmount: '1490',
    vehicleId: 'DE*ABC*T0007',
  });
  expect((await service.call('GET', path)).json).toEqual(made.json);
});

test('a line without end, and text that looks like an escape, are read like others', async () => {
  const pdf = new PDFDocument({ size: 'A4' });
  pdf
    .text('\\u0000 GmbH')
    .text(`Datum ${'-'.repeat(400_000)}`, { lineBreak: false })
    .end();
  const made = await post(Buffer.concat(await pdf.toArray()));
  await service.runJobs();
  const { json } = await service.call('GET', `/invoices/${made.json.id}/ocr`);
  const name = expect.objectContaining({ field: 'supplierName', value: '\\u0000 GmbH' });
  expect(json).toMatchObject({ status: 'PROCESSED', suggestions: [name] });
});

test('a picture becomes a draft, and its text is recognised', async () => {
  const lines = receipt.map((line, index) => `<text x="60" y="${120 + index * 90}">${line}</text>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="700"><rect width="1200" height="700" fill="white"/><g font-family="sans-serif" font-size="52">${lines.join('')}</g></svg>`;
  const made = await post(await sharp(Buffer.from(svg)).png().toBuffer());
  expect(made.json.blobs).toMatchObject([{ filename: 'receipt.png', uploaded: true }]);
  await service.runJobs();
  const { json } = await service.call('GET', `/invoices/${made.json.id}/ocr`);
  expect(json).toMatchObject({ status: 'PROCESSED', source: 'recognition' });
  const found = json.suggestions.map(({ field }: Record<string, string>) => field);
  expect(found).toEqual(
    expect.arrayContaining(['number', 'issueDate', 'payableAmount', 'vehicleId']),
  );
}, 120_000);

test('a picture that cannot be decoded is a draft all the same, with the reason', async () => {
  const broken = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100)]);
  const made = await post(broken);
  expect([made.status, made.json.status]).toEqual([201, 'draft']);
  await service.runJobs();
  const { json } = await service.call('GET', `/invoices/${made.json.id}/ocr`);
  expect(json).toMatchObject({ status: 'ERROR', reason: expect.any(String), suggestions: [] });
});

test('an invoice that was typed in has none, and one that does not exist is not found (404)', async () => {
  const { json } = await service.call('POST', '/invoices', {
    ...exampleRequest,
    lines: exampleRequest.lines.map(({ vehicleId: _, ...line }) => line),
  });
  const typed = await service.call('GET', `/invoices/${json.id}/ocr`);
  expect(typed.json).toEqual({ status: 'NOT_STARTED', pages: [], suggestions: [] });
  expect((await service.call('GET', `/invoices/${randomUUID()}/ocr`)).status).toBe(404);
});

test('when a draft is opened, what was recognised is deleted, and what is still being read is not stored', async () => {
  const drafts = [];
  for (const number of ['O-1', 'O-2']) {
    const made = await post(await pdfWith({}, receipt.join('\n')));
    drafts.push({ path: `/invoices/${made.json.id}`, number });
    // The first is read before it is opened, the second after.
    if (drafts.length === 1) await service.runJobs();
  }
  for (const { path, number } of drafts) {
    const { vehicleId: _, ...line } = exampleRequest.lines[0] ?? {};
    const body = { ...exampleRequest, number, lines: [line], status: 'open' };
    expect((await service.call('PUT', path, body)).status).toBe(200);
  }
  await service.runJobs();
  for (const { path } of drafts) {
    const { json } = await service.call('GET', `${path}/ocr`);
    expect(json).toEqual({ status: 'NOT_STARTED', pages: [], suggestions: [] });
  }
});

test('a document that is replaced is read again, and what was read in the one before is gone', async () => {
  const { json: made } = await post(await pdfWith({}, receipt.join('\n')));
  await service.runJobs();
  const replaced = await service.send({
    method: 'PUT',
    path: `/api/fleets/v1/DE/ABC/blobs/invoices/${made.id}/${made.blobs[0].uuid}`,
    headers: { authorization: `Bearer ${await service.token()}` },
    body: await pdfWith({}, receipt.join('\n').replace('4711', '4712')),
  });
  expect(replaced.status).toBe(200);
  const read = async () => (await service.call('GET', `/invoices/${made.id}/ocr`)).json;
  expect(await read()).toMatchObject({ status: 'PROCESSING', pages: [], suggestions: [] });
  await service.runJobs();
  const { status, suggestions } = await read();
  expect(status).toBe('PROCESSED');
  expect(suggestions).toContainEqual(expect.objectContaining({ field: 'number', value: '4712' }));
});

test('what was read in a document that is replaced meanwhile is not stored', async () => {
  const { json: made } = await post(await pdfWith({}, receipt.join('\n')));
  const key = { provider: 'DE-ABC', invoiceId: made.id };
  const waiting = await waitingReceipt(service.db, key);
  const reading = { failure: 'failed' } as const;
  const store = (object_key: string) =>
    service.db.transaction((tx) =>
      storeReading(tx, key, { uuid: made.blobs[0].uuid, object_key }, reading, new Date()),
    );
  await store('another');
  expect(await waitingReceipt(service.db, key)).toEqual(waiting);
  await store(waiting?.object_key ?? '');
  expect(await waitingReceipt(service.db, key)).toBeUndefined();
});

test('a draft that is deleted before it is read leaves nothing', async () => {
  const made = await post(await pdfWith({}, receipt.join('\n')));
  expect((await service.call('DELETE', `/invoices/${made.json.id}`)).status).toBe(204);
  await service.runJobs();
  expect(await service.db.query('select 1 from invoice_readings')).toEqual([]);
});

test('a draft that comes while many of its provider are in the queue waits in its table until these are done', async () => {
  const { db, jobs } = service.dependencies;
  const waiting = (name: string) =>
    service.owner.query(
      `select start_after from pgboss.job where name = $1 and group_id = 'DE-ABC' and state < 'active'`,
      [name],
    );
  await db.transaction(async (tx) => {
    for (let count = 0; count < maxWaiting; count++)
      await jobs.add(tx, recogniseReceipt, { provider: 'DE-ABC', invoiceId: randomUUID() });
  });
  const made = await post(await pdfWith({}, receipt.join('\n')));
  expect(made.status).toBe(201);
  const status = async () =>
    (await service.call('GET', `/invoices/${made.json.id}/ocr`)).json.status;
  expect(await waiting('recognise-receipt')).toHaveLength(maxWaiting);
  await service.runJobs();
  expect(await status()).toBe('PROCESSING');

  expect(await waiting('resume-receipts')).toHaveLength(1);
  await service.owner.query(
    `update pgboss.job set start_after = now() where name = 'resume-receipts' and state < 'active'`,
  );
  await service.runJobs();
  expect(await status()).toBe('PROCESSED');
});

test('a draft that waits without a job is resumed', async () => {
  const made = await post(await pdfWith({}, receipt.join('\n')));
  await service.owner.query(`delete from pgboss.job where name = 'recognise-receipt'`);
  const { db, jobs } = service.dependencies;
  await db.transaction((tx) => jobs.add(tx, resumeReceipts, {}));
  await service.runJobs();
  const { json } = await service.call('GET', `/invoices/${made.json.id}/ocr`);
  expect(json.status).toBe('PROCESSED');
});
