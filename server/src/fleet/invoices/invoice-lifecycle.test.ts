import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { exampleNewInvoice, exampleRequest } from './invoice-examples.ts';

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
