import { afterAll, beforeAll, expect, test } from 'vitest';
import { testCredentials } from '../../server/src/testing/global-setup.ts';
import { startTestService, type TestService } from '../../server/src/testing/test-service.ts';
import { type FleetEvent, Motorpool, type MotorpoolOptions, type StreamedEvent } from './index.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.call('PUT', '/DE*ABC*EVENTS', { information: {} });
});
afterAll(() => service.stop());

const clientWith = (options: Partial<MotorpoolOptions> = {}) =>
  new Motorpool({
    baseUrl: service.url,
    provider: 'DE/ABC',
    ...testCredentials,
    ...options,
  } as MotorpoolOptions);

const incident = { title: 'Scratch', vehicleOperable: true, isResolved: false };
const createIncident = (title: string) =>
  service.call('POST', '/DE*ABC*EVENTS/incidents', { ...incident, title });

const titleOf = ({ data }: StreamedEvent) =>
  (data.resource as { title?: string } | undefined)?.title;

test('the log is read from where a reader stopped, page after page', async () => {
  const { events } = clientWith();
  for (const title of ['one', 'two', 'three']) await createIncident(title);
  const types = [{ field: 'type', value: 'incident.created.v1' }];
  const titles: (string | undefined)[] = [];
  let cursor: string | undefined;
  for await (const page of events.find({ filters: types, pagination: { pageSize: 2 } }).pages()) {
    titles.push(...page.items.map(titleOf));
    cursor = page.pagination.cursor;
  }
  expect(titles).toEqual(['one', 'two', 'three']);
  await createIncident('four');
  const next = await events.find({ filters: types, pagination: { cursor } }).toArray();
  expect(next.map(titleOf)).toEqual(['four']);
});

test('a stream that breaks is resumed without a gap and without a double', async () => {
  const opened: (string | null)[] = [];
  let breakStream = () => {};
  const { events } = clientWith({
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).includes('/events')) return response;
      opened.push(new Headers(init?.headers).get('last-event-id'));
      const broken = new AbortController();
      breakStream = () => broken.abort(new Error('the connection broke'));
      const body = response.body?.pipeThrough(new TransformStream(), { signal: broken.signal });
      return new Response(body, response);
    },
  });
  const received: (string | undefined)[] = [];
  const titles = Array.from({ length: 6 }, (_, index) => `event ${index}`);
  const stream = events.stream({ types: ['incident.created.v1'], vehicleIds: ['DE*ABC*EVENTS'] });
  const first = stream.next();
  while (opened.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  for (const title of titles.slice(0, 3)) await createIncident(title);
  received.push(titleOf((await first).value as StreamedEvent));
  breakStream();
  for (const title of titles.slice(3)) await createIncident(title);
  for await (const event of stream) {
    received.push(titleOf(event));
    if (received.length === titles.length) break;
  }
  expect(received).toEqual(titles);
  expect(opened.length).toBeGreaterThan(1);
  expect(opened.at(-1)).toMatch(/^\d+$/);
});

test('a stream begins behind the event that is named', async () => {
  const { events } = clientWith();
  const types = ['incident.created.v1'];
  const latest = await events.find({ pagination: { cursor: 'latest' } }).page();
  for (const title of ['before', 'after']) await createIncident(title);
  const first = await events.stream({ types, cursor: latest.pagination.cursor }).next();
  const { sequence } = first.value as FleetEvent;
  const next = await events.stream({ types, lastEventId: sequence }).next();
  expect(titleOf(next.value as StreamedEvent)).toBe('after');
});

test('a stream ends with the reason of its signal, and with what the service refuses', async () => {
  const controller = new AbortController();
  const { events } = clientWith();
  const pending = events.stream({ signal: controller.signal }).next();
  controller.abort(new Error('enough'));
  await expect(pending).rejects.toThrow('enough');
  await expect(events.stream({ cursor: '999999' }).next()).rejects.toMatchObject({ status: 410 });
  await expect(events.stream({ types: ['no.such.type'] }).next()).rejects.toMatchObject({
    status: 400,
  });
});
