import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { exampleViewRequest, maxViews } from './saved-view.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('a view is kept as it was saved, and found by name', async () => {
  const created = await service.call('POST', '/saved-views', exampleViewRequest);
  expect(created.status).toBe(201);
  expect(created.json).toMatchObject(exampleViewRequest);
  await service.call('POST', '/saved-views', { name: 'All' });
  const { json } = await service.call('GET', '/saved-views');
  expect(json.items.map(({ name }: { name: string }) => name)).toEqual([
    'All',
    exampleViewRequest.name,
  ]);
  const read = await service.call('GET', `/saved-views/${created.json.id}`);
  expect(read.json).toEqual(created.json);
  expect(read.headers.etag).toBe(created.headers.etag);
});

test('names are unique', async () => {
  await service.call('POST', '/saved-views', { name: 'Twice' });
  const { status, json } = await service.call('POST', '/saved-views', { name: 'Twice' });
  expect(status).toBe(409);
  expect(json).toMatchObject({ errors: [{ pointer: '/name' }] });
});

test('whoever saw an older version does not overwrite the newer one, nor deletes it', async () => {
  const { json, headers } = await service.call('POST', '/saved-views', { name: 'Versions' });
  const path = `/saved-views/${json.id}`;
  const old = { 'if-match': String(headers.etag) };
  const next = await service.call('PUT', path, { name: 'Versions', columns: ['plate'] }, old);
  expect(next.json).toMatchObject({ columns: ['plate'] });
  expect((await service.call('PUT', path, { name: 'Other' }, old)).status).toBe(412);
  expect((await service.call('DELETE', path, undefined, old)).status).toBe(412);
  const now = { 'if-match': String(next.headers.etag) };
  expect((await service.call('DELETE', path, undefined, now)).status).toBe(204);
  expect((await service.call('GET', path)).status).toBe(404);
});

test('changes of views are events', async () => {
  const { json } = await service.call('POST', '/saved-views', { name: 'Seen' });
  const { json: events } = await service.call('POST', '/events/search', {
    pagination: { pageSize: 1_000 },
  });
  expect(events.items).toContainEqual(
    expect.objectContaining({
      type: 'saved-view.created.v1',
      subject: `/saved-views/${json.id}`,
      data: { resource: json },
    }),
  );
});

test('a provider has no more than it may have', async () => {
  const { json } = await service.call('GET', '/saved-views');
  for (let count = json.items.length; count < maxViews; count++)
    await service.call('POST', '/saved-views', { name: `View ${count}` });
  const { status, json: problem } = await service.call('POST', '/saved-views', { name: 'Last' });
  expect(status).toBe(409);
  expect(problem.type).toContain('too-many-views');
});
