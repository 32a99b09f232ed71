import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { problemType } from '../../testing/problem-type.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { deleteReleasedBytes, upload, uploadNew } from '../../testing/uploads.ts';
import { exampleNewInvoice, exampleRequest } from './invoice-examples.ts';
import { invoiceStatuses, statusMoves } from './invoice-status.ts';

let service: TestService;
const vehicleId = 'DE*ABC*T0000';

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.db.query('delete from invoices');
  await makeFleet(service.db, 'DE', 'ABC', 2);
  await makeFleet(service.db, 'FR', 'XYZ', 1);
});

const lines = exampleRequest.lines.map((line) => ({ ...line, vehicleId }));
const request = { ...exampleRequest, lines };

function create(body: object = request) {
  return service.call('POST', '/invoices', body);
}

test('an invoice is recorded with the amounts that follow from its lines (201, Location), and read', async () => {
  const made = await create();
  expect(made.status).toBe(201);
  const { id: _, ...expected } = exampleNewInvoice;
  expect(made.json).toEqual({
    ...expected,
    lines: expected.lines.map((line) => ({ ...line, vehicleId })),
    id: made.json.id,
    createdAt: made.json.createdAt,
    updatedAt: made.json.createdAt,
  });
  expect(made.headers.location).toBe(`/api/fleets/v1/DE/ABC/invoices/${made.json.id}`);
  const read = await service.call('GET', `/invoices/${made.json.id}`);
  expect(read.json).toEqual(made.json);
  expect(read.headers.etag).toBe(made.headers.etag);
});

const pathOf = ({ json }: { json: { id: string } }) => `/invoices/${json.id}`;

type Issue = { pointer: string; detail: string };

test('amounts that disagree are refused, each with what it must be and what was found', async () => {
  const totals = { lineNetAmount: 19_774, taxAmount: 3_758, payableAmount: 1 };
  const { status, json } = await create({ ...request, totals });
  expect(status).toBe(400);
  expect(json.errors).toEqual([
    {
      pointer: '/totals/lineNetAmount',
      detail: 'lineNetAmount must be 19775, the sum of netAmount of the lines; found 19774.',
    },
    {
      pointer: '/totals/taxAmount',
      detail: 'taxAmount must be 3757, the sum of taxAmount of the VAT breakdown; found 3758.',
    },
    {
      pointer: '/totals/payableAmount',
      detail:
        'payableAmount must be 23532, taxInclusiveAmount - prepaidAmount + roundingAmount; found 1.',
    },
  ]);
});

test('what else is wrong is refused with its place', async () => {
  const [line] = lines;
  const pointers = async (body: object) =>
    ((await create(body)).json.errors ?? []).map(({ pointer }: Issue) => pointer);
  expect(await pointers({})).toEqual(['/number', '/supplier', '/issueDate', '/lines']);
  const faulty = {
    ...request,
    currency: 'XYZ',
    supplier: { name: 'A', address: { countryCode: 'XX' } },
    servicePeriod: { from: '2026-02-01', to: '2026-01-01' },
    lines: [
      { ...line, vatRate: undefined },
      { ...line, vatCategory: 'O' },
      { ...line, vatCategory: 'AE' },
      { ...line, vatRate: '0' },
      { ...line, priceBaseQuantity: '0.00' },
      { ...line, vehicleId: undefined, incidentId: exampleNewInvoice.id },
    ],
  };
  expect(await pointers(faulty)).toEqual([
    '/currency',
    '/supplier/address/countryCode',
    '/servicePeriod/to',
    '/lines/0/vatRate',
    '/lines/1/vatRate',
    '/lines/2/vatRate',
    '/lines/3/vatRate',
    '/lines/4/priceBaseQuantity',
    '/lines/5/incidentId',
  ]);
  for (const unitPrice of [98.5, '98,5', '1e3', '-1', '.5', '01', '1.00000000001'])
    expect(await pointers({ ...request, lines: [{ ...line, unitPrice }] })).toEqual([
      '/lines/0/unitPrice',
    ]);
});

test('a VAT breakdown that is left out has no more parts than one that is sent may', async () => {
  const withRates = (count: number) => ({
    ...request,
    lines: Array.from({ length: count }, (_, index) => ({
      text: 'Part',
      unitPrice: '1.00',
      vatRate: `${index / 10 + 1}`,
    })),
    totals: undefined,
    vatBreakdown: undefined,
  });
  const made = await create(withRates(100));
  expect([made.status, made.json.vatBreakdown.length]).toEqual([201, 100]);
  const { status, json } = await create({ ...withRates(101), number: 'R-101' });
  expect([status, json.errors]).toEqual([
    400,
    [{ pointer: '/lines', detail: expect.stringContaining('101 VAT categories and rates') }],
  ]);
});

test('quantities and prices come back as they were sent', async () => {
  const line = {
    text: 'Energy',
    quantity: '-12.3400',
    unitPrice: '0.3999999999',
    vatRate: '19.00',
  };
  const { json } = await create({ ...request, lines: [line] });
  expect(json.lines[0]).toMatchObject({ ...line, netAmount: -494 });
});

test('a draft may be incomplete, has the currency of the profile, and is completed later', async () => {
  const draft = await create({ status: 'draft' });
  expect(draft.status).toBe(201);
  expect(draft.json).toMatchObject({ status: 'draft', currency: 'EUR', lines: [] });
  const opened = await service.call('PUT', pathOf(draft), { status: 'open' });
  expect(opened.json.errors.map(({ pointer }: Issue) => pointer)).toEqual([
    '/number',
    '/supplier',
    '/issueDate',
    '/lines',
  ]);
  const kept = await service.call('PUT', pathOf(draft), { note: 'Still unknown' });
  expect(kept.json).toMatchObject({ status: 'draft', note: 'Still unknown' });
  const complete = await service.call('PUT', pathOf(draft), { ...request, status: 'open' });
  expect(complete.status).toBe(200);
});

test('the status moves as documented, and every other move is 409 with those that are allowed', async () => {
  for (const from of invoiceStatuses) {
    for (const to of invoiceStatuses) {
      const made = await create({ ...request, number: `${from}-${to}`, status: from });
      const moved = await service.call('PUT', pathOf(made), { ...made.json, status: to });
      const isAllowed = from === to || statusMoves[from].includes(to);
      expect([from, to, moved.status]).toEqual([from, to, isAllowed ? 200 : 409]);
      if (isAllowed) expect(moved.json.status).toBe(to);
      else expect(moved.json.detail).toContain(`it can become ${statusMoves[from].join(', ')}`);
    }
  }
});

test('what is approved is no longer corrected, but for its note and the assignment of its lines', async () => {
  for (const status of ['approved', 'paid', 'cancelled'] as const) {
    const made = await create({ ...request, number: status, status });
    const [line, ...others] = made.json.lines;
    const put = (changes: object) =>
      service.call('PUT', pathOf(made), {
        ...made.json,
        vatBreakdown: undefined,
        totals: undefined,
        ...changes,
      });
    const fixed = await put({
      lines: [{ ...line, unitPrice: '1', netAmount: undefined }, ...others],
    });
    expect([fixed.status, fixed.json.type]).toEqual([409, problemType('invoice-fixed')]);
    expect((await put({ dueDate: '2027-01-01' })).status).toBe(409);
    const assigned = await put({
      note: 'Cost centre 7',
      lines: [{ ...line, unitPrice: '98.5', kind: 'tyres', vehicleId: undefined }, ...others],
    });
    expect(assigned.json).toMatchObject({ status, note: 'Cost centre 7' });
    expect(assigned.json.lines[0]).toMatchObject({ kind: 'tyres' });
    expect(assigned.json.lines[0]).not.toHaveProperty('vehicleId');
  }
  const open = await create({ ...request, number: 'open' });
  const { json } = await service.call('PUT', pathOf(open), { ...request, lines: [lines[0]] });
  expect(json.lines).toHaveLength(1);
  expect(json.totals.taxInclusiveAmount).toBe(17_582);
});

test('an overwritten invoice has another ETag, and If-Match refuses the old one', async () => {
  const made = await create();
  const headers = { 'if-match': String(made.headers.etag) };
  const changed = await service.call('PUT', pathOf(made), { ...request, note: 'A' }, headers);
  expect(changed.headers.etag).not.toBe(made.headers.etag);
  const stale = await service.call('PUT', pathOf(made), { ...request, note: 'B' }, headers);
  expect(stale.status).toBe(412);
  expect((await service.call('DELETE', pathOf(made), undefined, headers)).status).toBe(412);
});

test('a draft is deleted (204), any other invoice is kept (409)', async () => {
  for (const status of invoiceStatuses) {
    const made = await create({ ...request, number: status, status });
    const deleted = await service.call('DELETE', pathOf(made));
    expect([status, deleted.status]).toEqual([status, status === 'draft' ? 204 : 409]);
    const read = await service.call('GET', pathOf(made));
    expect(read.status).toBe(status === 'draft' ? 404 : 200);
  }
});

test('a number is taken once from a supplier (409), however its name and VAT id are written', async () => {
  const { supplier } = request;
  const first = await create();
  const status = async (changes: object) => (await create({ ...request, ...changes })).status;
  expect((await create()).json.detail).toContain(first.json.id);
  expect(await status({ number: 'r-2026-1043' })).toBe(409);
  expect(await status({ supplier: { ...supplier, name: 'Other', vatId: 'de 123.456.788' } })).toBe(
    409,
  );
  expect(await status({ supplier: { name: 'WERKSTATT MITTE GmbH' } })).toBe(409);
  expect(await status({ supplier: { ...supplier, vatId: 'DE999999999' } })).toBe(201);
  expect(await status({ number: 'R-2026-1044' })).toBe(201);
  const other = await create({ ...request, number: 'R-2026-1045' });
  expect((await service.call('PUT', pathOf(other), request)).status).toBe(409);
  expect((await service.call('PUT', pathOf(first), request)).status).toBe(200);
});

test('of several concurrent invoices with one number, one is recorded', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => create()));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, ...Array(7).fill(409)]);
});

test('a number is not locked by a hash for which one can be chosen', async () => {
  await service.db.transaction(async (tx) => {
    const key = `hashtextextended('DE-ABC ' || normalized_text($1), 0)`;
    await tx.query(`select pg_advisory_xact_lock(${key})`, [request.number]);
    expect((await create()).status).toBe(201);
  });
});

test('what was open once is kept, also when it is cancelled and a draft again', async () => {
  const opened = await create({ ...request, number: 'K-1', status: 'draft' });
  for (const status of ['open', 'cancelled', 'draft']) {
    const { json } = await service.call('PUT', pathOf(opened), {
      ...request,
      number: 'K-1',
      status,
    });
    expect(json.status).toBe(status);
  }
  const { status, json } = await service.call('DELETE', pathOf(opened));
  expect([status, json.detail]).toEqual([409, expect.stringContaining('was open before')]);
  const never = await create({ ...request, number: 'K-2', status: 'draft' });
  for (const next of ['cancelled', 'draft'])
    await service.call('PUT', pathOf(never), { ...request, number: 'K-2', status: next });
  expect((await service.call('DELETE', pathOf(never))).status).toBe(204);
});

test('files are announced, uploaded, listed, and removed with the draft', async () => {
  const made = await create({ ...request, status: 'draft' });
  const files = `/blobs${pathOf(made)}`;
  const announced = await service.call('POST', files, { filename: 'invoice.pdf' });
  expect(announced.status).toBe(201);
  const path = `${files}/${announced.json.uuid}`;
  expect(announced.headers.location).toBe(`/api/fleets/v1/DE/ABC${path}`);
  const authorization = `Bearer ${await service.token()}`;
  const sent = { path: `/api/fleets/v1/DE/ABC${path}`, headers: { authorization } };
  expect((await service.send({ ...sent, method: 'PUT', body: Buffer.from('bytes') })).status).toBe(
    200,
  );
  expect((await service.send(sent)).text).toBe('bytes');
  const blobs = [{ uuid: announced.json.uuid, filename: 'invoice.pdf', uploaded: true }];
  expect((await service.call('GET', pathOf(made))).json.blobs).toEqual(blobs);
  expect((await service.call('PUT', pathOf(made), { ...made.json })).json.blobs).toEqual(blobs);
  expect((await service.call('DELETE', pathOf(made))).status).toBe(204);
  expect((await service.send(sent)).status).toBe(404);
  await deleteReleasedBytes(service);
  expect(await service.db.query('select 1 from stored_objects')).toEqual([]);
});

test('the files of an approved invoice are neither replaced nor removed (409); others are added, and an unused announcement is removed', async () => {
  const made = await create();
  const files = `/blobs/invoices/${made.json.id}`;
  await uploadNew(service, files, 'invoice.pdf', Buffer.from('approved'));
  const [{ uuid }] = (await service.call('GET', pathOf(made))).json.blobs;
  const path = `${files}/${uuid}`;
  const moveTo = async (status: string) =>
    expect((await service.call('PUT', pathOf(made), { ...made.json, status })).status).toBe(200);
  const attempts = async () => [
    await upload(service, path, 'another'),
    await service.call('DELETE', path),
  ];
  for (const status of ['approved', 'paid']) {
    await moveTo(status);
    for (const { status, json } of await attempts())
      expect([status, json.type]).toEqual([409, problemType('invoice-fixed')]);
    expect((await service.call('GET', path)).text).toBe('approved');
    await uploadNew(service, files, `${status}.pdf`, Buffer.from('added'));
  }
  const { uuid: unused } = (await service.call('POST', files, { filename: 'none.pdf' })).json;
  expect((await service.call('DELETE', `${files}/${unused}`)).status).toBe(204);
  await moveTo('approved');
  await moveTo('disputed');
  expect((await attempts()).map(({ status }) => status)).toEqual([200, 204]);
  await deleteReleasedBytes(service);
  expect(await service.db.query('select 1 from stored_objects')).toHaveLength(2);
});

test('the audit trail has the changes of lines alone, by invoice and place', async () => {
  const made = await create();
  const [first, second] = made.json.lines;
  const body = { ...made.json, lines: [first, { ...second, kind: 'other' }] };
  await service.call('PUT', pathOf(made), body);
  const events = await service.db.query(
    `select action, record_id, changes from audit_events where type = 'invoice-line' and record_id like $1 order by id`,
    [`${made.json.id}%`],
  );
  expect(events).toMatchObject([
    { action: 'INSERT', record_id: `${made.json.id}/0`, changes: { text: first.text } },
    { action: 'INSERT', record_id: `${made.json.id}/1` },
    {
      action: 'UPDATE',
      record_id: `${made.json.id}/1`,
      changes: { kind: ['maintenance', 'other'] },
    },
  ]);
});
