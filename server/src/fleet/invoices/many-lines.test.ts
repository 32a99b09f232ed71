import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('an invoice of as many lines as there can be is stored, overwritten and deleted, each as one event', async () => {
  const lines = Array.from({ length: 2_000 }, (_, index) => ({
    text: `Toll ${index}`,
    quantity: '1',
    unitPrice: '1.10',
    vatRate: '19',
  }));
  const draft = { status: 'draft', currency: 'EUR', lines };
  const made = await service.call('POST', '/invoices', draft);
  expect(made.status, made.text).toBe(201);
  const path = `/invoices/${made.json.id}`;
  expect((await service.call('PUT', path, { ...draft, note: 'Checked' })).status).toBe(200);
  expect((await service.call('DELETE', path)).status).toBe(204);
  const events = await service.db.query<{ type: string }>(
    'select type from event_outbox where record_id = $1 order by id',
    [made.json.id],
  );
  expect(events.map(({ type }) => type)).toEqual([
    'invoice.created.v1',
    'invoice.updated.v1',
    'invoice.deleted.v1',
  ]);
});
