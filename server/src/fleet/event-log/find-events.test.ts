import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providers } from '../../testing/contract/requests.ts';
import { createRecords, loadSeeds } from '../../testing/contract/seed.ts';
import { lockWaits } from '../../testing/lock-waits.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { modules } from '../index.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

// biome-ignore lint/suspicious/noExplicitAny: an answer, whose schema `call` has checked
type Event = any;

async function searchFrom(cursor?: string, filters: object[] = [], pageSize = 100) {
  const { json } = await service.call('POST', '/events/search', {
    filters,
    pagination: { ...(cursor !== undefined && { cursor }), pageSize },
  });
  return json as { items: Event[]; pagination: { cursor: string; hasMore: boolean } };
}

async function latest(): Promise<string> {
  return (await searchFrom('latest')).pagination.cursor;
}

async function allEvents(): Promise<Event[]> {
  const events: Event[] = [];
  for (let page = await searchFrom(); ; page = await searchFrom(page.pagination.cursor)) {
    events.push(...page.items);
    if (!page.pagination.hasMore) return events;
  }
}

describe('a vehicle', () => {
  const path = '/DE*ABC*E0001';
  const information = { vin: 'WVWZZZE1ZMP000009', licensePlate: 'M-AB 123', seats: 5 };

  test('makes an event with the resource and what changed, when it is created, overwritten and deleted', async () => {
    const from = await latest();
    await service.call('PUT', path, { information });
    const { json } = await service.call('PUT', path, { information: { ...information, seats: 4 } });
    await service.call('DELETE', path);
    const { items } = await searchFrom(from, [
      { field: 'type', operator: 'startsWith', value: 'vehicle.' },
    ]);
    const { status: _, ...resource } = json;
    const attributes = {
      specversion: '1.0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      source: '/api/fleets/v1/DE/ABC',
      subject: path,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      datacontenttype: 'application/json',
      sequence: expect.stringMatching(/^\d+$/),
      vehicleid: path.slice(1),
    };
    expect(items).toEqual([
      {
        ...attributes,
        type: 'vehicle.created.v1',
        data: { resource: { ...resource, information } },
      },
      {
        ...attributes,
        type: 'vehicle.updated.v1',
        data: { resource, changed: ['information.seats'] },
      },
      { ...attributes, type: 'vehicle.deleted.v1', data: { resource } },
    ]);
    expect(new Set(items.map(({ id }) => id)).size).toBe(3);
  });

  test('makes none when it is overwritten with the same, or the write is refused', async () => {
    await service.call('PUT', path, { information });
    const from = await latest();
    await service.call('PUT', path, { information });
    await service.call('PUT', path, { information: { seats: 2 } }, { 'if-match': '"1"' });
    expect((await searchFrom(from)).items).toEqual([]);
  });

  test('makes none when it reports', async () => {
    await service.runJobs();
    const from = await latest();
    const message = { timestamp: new Date().toISOString(), odometer: 81_000 };
    await service.call('PUT', `${path}/status`, message);
    expect((await searchFrom(from)).items).toEqual([]);
  });
});

/** Without files, and without what is derived, which makes no event when it changes. */
function comparable(type: string, { ...record }: Event): Event {
  for (const name of ['blobs', 'updatedAt', 'forecastDate', 'estimatedAt']) delete record[name];
  if (type.startsWith('vehicle.')) delete record.status;
  if (type.startsWith('charging-session.')) delete record.location;
  if (type.startsWith('inspection.')) record.basis = { ...record.basis, odometer: 0 };
  return record;
}

describe('all records', () => {
  const resources = new Map<string, Event>();
  let events: Event[] = [];
  beforeAll(async () => {
    await createRecords(service, await loadSeeds(), providers['DE-ABC'], 1);
    await service.runJobs();
    events = await allEvents();
    for (const event of events) resources.set(event.subject, event);
  });

  test('of every declared kind have events', () => {
    const declared = modules.flatMap(({ recordEvents = [] }) => recordEvents);
    const seen = new Set(events.map(({ type }) => type.split('.')[0]));
    expect(declared.map(({ type }) => type).filter((type) => !seen.has(type))).toEqual([]);
  });

  test('are in their newest event as they are read, files and what is derived aside', async () => {
    let compared = 0;
    for (const [subject, { type, data }] of resources) {
      if (type.startsWith('file.') || type.startsWith('driver.')) continue;
      const { status, json } = await service.call('GET', subject);
      if (type.includes('.deleted.')) {
        expect([subject, status]).toEqual([subject, 404]);
        continue;
      }
      const resource = comparable(type, data.resource);
      expect({ subject, ...resource }).toEqual({ subject, ...comparable(type, json) });
      compared += 1;
    }
    expect(compared).toBeGreaterThan(10);
  });

  test('are numbered without gaps', () => {
    const numbers = events.map(({ sequence }) => Number(sequence));
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  });

  test('come in pages of any size, none twice', async () => {
    const paged: Event[] = [];
    for (let cursor: string | undefined; ; ) {
      const { items, pagination } = await searchFrom(cursor, [], 7);
      paged.push(...items);
      cursor = pagination.cursor;
      if (!pagination.hasMore) break;
    }
    expect(paged).toEqual(events);
  });

  test('are found by type and vehicle', async () => {
    const { vehicleid } = events.find(({ type }) => type === 'incident.created.v1') ?? {};
    const { items } = await searchFrom(undefined, [
      { field: 'type', operator: 'in', value: ['incident.created.v1', 'incident.updated.v1'] },
      { field: 'vehicleid', value: vehicleid },
    ]);
    expect(items).toEqual(
      events.filter(
        (event) =>
          event.vehicleid === vehicleid && /^incident\.(cre|upd)ated\.v1$/.test(event.type),
      ),
    );
    expect(items).not.toEqual([]);
  });
});

test('a change that follows from another is an event of its own, in the same order for everybody', async () => {
  const path = '/DE*ABC*E0002';
  await service.call('PUT', path, { information: { vendor: 'VW', model: 'ID.3' } });
  const incident = { title: 'Scraped', vehicleOperable: true, isResolved: false };
  await service.call('POST', `${path}/incidents`, incident);
  const from = await latest();
  await service.call('DELETE', path);
  const { items } = await searchFrom(from, [
    { field: 'type', operator: 'in', value: ['incident.deleted.v1', 'vehicle.deleted.v1'] },
  ]);
  expect(items.map(({ type }) => type).sort()).toEqual([
    'incident.deleted.v1',
    'vehicle.deleted.v1',
  ]);
  expect(items.find(({ type }) => type.startsWith('incident'))?.data.resource).toMatchObject(
    incident,
  );
});

test('an invoice is one event with its lines, whichever of its rows change', async () => {
  const line = {
    text: 'Oil',
    kind: 'maintenance',
    quantity: '1.50',
    unitPrice: '10.00',
    vatCategory: 'S',
    vatRate: '19',
  };
  const invoice = {
    type: 'invoice',
    status: 'draft',
    currency: 'EUR',
    lines: [line, { ...line, text: 'Filter' }],
  };
  const from = await latest();
  const created = await service.call('POST', '/invoices', invoice);
  expect(created.status).toBe(201);
  const path = `/invoices/${created.json.id}`;
  const changed = { ...invoice, lines: [line, { ...line, text: 'Other filter' }] };
  const { json } = await service.call('PUT', path, changed);
  await service.call('PUT', path, changed);
  await service.call('DELETE', path);
  const { items } = await searchFrom(from);
  expect(items.map(({ type, data }) => [type, data.changed])).toEqual([
    ['invoice.created.v1', undefined],
    ['invoice.updated.v1', ['lines']],
    ['invoice.deleted.v1', undefined],
  ]);
  expect(items[0].data.resource).toEqual(created.json);
  expect(items[1].data.resource).toEqual(json);
  expect(items[2].data.resource.lines).toEqual(json.lines);
});

test('the last event of an invoice has what it is, whoever changes its lines at the same time', async () => {
  await makeFleet(service.db, 'DE', 'ABC', 1);
  const vehicleId = 'DE*ABC*T0000';
  const entries: string[] = [];
  for (const title of ['Washed', 'Parked']) {
    const entry = { date: '2026-10-28', title, category: 'other' };
    entries.push((await service.call('POST', `/${vehicleId}/logbook`, entry)).json.id);
  }
  const line = { text: 'Fee', quantity: '1', unitPrice: '10', vatCategory: 'S', vatRate: '19' };
  const { json: invoice } = await service.call('POST', '/invoices', {
    type: 'invoice',
    status: 'draft',
    currency: 'EUR',
    lines: entries.map((logbookEntryId) => ({ ...line, vehicleId, logbookEntryId })),
  });
  const from = await latest();
  let second: Promise<unknown> | undefined;
  await service.db.transaction(async (tx) => {
    await tx.query(`delete from logbook_entries where provider = 'DE-ABC' and id = $1`, [
      entries[0],
    ]);
    await tx.queryUnprepared('set constraints all immediate');
    second = service.call('DELETE', `/${vehicleId}/logbook/${entries[1]}`);
    const waits = expect.poll(() => lockWaits(service.db), { timeout: 20_000 }).toBeGreaterThan(0);
    await Promise.race([second, waits]);
  });
  await second;
  const { items } = await searchFrom(from);
  const events = items.filter(({ type }: Event) => type === 'invoice.updated.v1');
  const read = await service.call('GET', `/invoices/${invoice.id}`);
  expect(events.at(-1)?.data.resource).toEqual(read.json);
  expect(read.json.lines.some((one: object) => 'logbookEntryId' in one)).toBe(false);
});

describe('a cursor', () => {
  test('whose next events are no longer kept is 410, and so is one that the log has not reached', async () => {
    const newest = Number(await latest());
    const search = (cursor: string) =>
      service.call('POST', '/events/search', { pagination: { cursor } });
    await service.db.query('delete from event_log where number <= 2');
    expect((await search('1')).status).toBe(410);
    expect((await search('2')).status).toBe(200);
    expect((await search(String(newest + 1))).status).toBe(410);
    expect((await search(String(newest))).json.items).toEqual([]);
  });

  test('must be a number or latest', async () => {
    const pagination = { cursor: 'first' };
    expect((await service.call('POST', '/events/search', { pagination })).status).toBe(400);
  });
});
