import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

/** The turn of the event loop, and how many lines of invoices were converted in each. */
const loop = vi.hoisted(() => ({ turn: 0, lines: new Map<number, number>() }));

vi.mock(import('./invoice-row.ts'), async (original) => {
  const module = await original();
  return {
    ...module,
    lineOf(row) {
      loop.lines.set(loop.turn, (loop.lines.get(loop.turn) ?? 0) + 1);
      return module.lineOf(row);
    },
  };
});

const invoices = 6;
const linesOfInvoice = 300;

let service: TestService;
let counting: NodeJS.Immediate;
beforeAll(async () => {
  service = await startTestService();
  const line = { text: 'Toll '.repeat(20), quantity: '1', unitPrice: '1.10', vatRate: '19' };
  const lines = Array.from({ length: linesOfInvoice }, () => line);
  for (let count = 0; count < invoices; count++) {
    const body = { status: 'draft', currency: 'EUR', lines };
    expect((await service.call('POST', '/invoices', body)).status).toBe(201);
  }
  counting = setImmediate(function next() {
    loop.turn += 1;
    counting = setImmediate(next);
  });
});
afterAll(() => {
  clearImmediate(counting);
  return service.stop();
});

const search = (path: string) => async () => {
  const { status, json } = await service.call('POST', path);
  expect([status, json.items.length]).toEqual([200, invoices]);
};

async function stream() {
  const headers = { authorization: `Bearer ${await service.token()}` };
  const url = `${service.url}/api/fleets/v1/DE/ABC/events?cursor=0`;
  const { body } = await fetch(url, { headers });
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.split('\ndata: ').length > invoices && text.endsWith('\n\n')) return;
  }
}

test.each([
  ['invoices', search('/invoices/search')],
  ['events', search('/events/search')],
  ['a stream of events', stream],
])('a large page of %s is converted over several turns of the event loop', async (_what, read) => {
  loop.lines.clear();
  await read();
  const counts = [...loop.lines.values()];
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(invoices * linesOfInvoice);
  expect(Math.max(...counts)).toBeLessThanOrEqual(2 * linesOfInvoice);
});
