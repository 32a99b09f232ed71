import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Incident } from '../fleet/incidents/public.ts';
import { demoVehicles, exampleVehicle } from '../fleet/vehicles/public.ts';
import { demoScope } from '../testing/demo-scope.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { seedDemo } from './seed.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ historyDays: 1_100 });
  await forget(service);
  await seed(service);
});
afterAll(() => service.stop());

const startedAt = new Date();
const seed = ({ db, owner, blobs, dependencies }: TestService) =>
  seedDemo(db, owner, blobs, dependencies.settings, startedAt);
const forget = ({ owner }: TestService) =>
  owner.query('truncate providers, vehicle_history cascade');

type OfFleet = Incident & { vehicleId: string };

async function fleetIncidents(): Promise<OfFleet[]> {
  return (await service.call('POST', '/incidents', {})).json.items;
}

async function download(path: string): Promise<{ type: string | null; bytes: Buffer }> {
  const answer = await fetch(`${service.url}/api/fleets/v1/DE/ABC${path}`, {
    headers: { authorization: `Bearer ${await service.token()}` },
  });
  expect(answer.status, path).toBe(200);
  return {
    type: answer.headers.get('content-type'),
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}

type Stored = Record<'vehicle_id' | 'owner' | 'entry_id' | 'uuid' | 'filename', string> & {
  size: number;
};

const kinds = {
  png: { type: 'image/png', begins: '\x89PNG\r\n\x1a\n' },
  pdf: { type: 'application/pdf', begins: '%PDF-' },
  txt: { type: 'text/plain; charset=utf-8', begins: '' },
  xml: { type: 'application/xml', begins: '<?xml' },
};

test('every group of the interface has something to show', async () => {
  const incidents = await fleetIncidents();
  expect(incidents).toHaveLength(30);
  const [incident] = incidents;
  const vehicle = `/${incident?.vehicleId}`;
  expect((await service.call('GET', `${vehicle}/incidents`)).json.pagination.totalEntries).toBe(1);
  const logbook = await service.call('GET', `${vehicle}/logbook`);
  expect(logbook.json.pagination.totalEntries).toBeGreaterThan(5);
  const users = await service.call('POST', '/users', {});
  expect(users.json.pagination.totalEntries).toBe(120);
  const { json: profile } = await service.call('GET', '/profile');
  expect(profile).toMatchObject({ name: 'Demo fleet Germany', address: { city: 'Hamburg' } });

  const counts = await service.db.query<{
    provider: string;
    checklists: number;
    templates: number;
  }>(
    `select provider, count(distinct vehicle_id) as checklists,
       (select count(*) from checklist_templates t where t.provider = e.provider) as templates
     from checklist_entries e group by provider order by provider`,
  );
  expect(counts).toEqual([
    { provider: 'DE-ABC', checklists: 30, templates: 1 },
    { provider: 'FR-XYZ', checklists: 3, templates: 1 },
  ]);
});

test('every group has something of the vehicle that the documentation names', async () => {
  const { id } = exampleVehicle.asset;
  for (const group of ['drivers', 'logbook', 'checklist', 'incidents', 'maintenance']) {
    const { json } = await service.call('GET', `/${id}/${group}`);
    expect((json.items ?? json).length, group).toBeGreaterThan(0);
  }
});

test('every file downloads whole, under its type', async () => {
  const rows = await service.db.query<Stored>(
    `select vehicle_id, owner, entry_id, uuid, filename, size from blobs where provider = 'DE-ABC'`,
  );
  expect(rows.length).toBeGreaterThan(30);
  for (const { vehicle_id, owner, entry_id, uuid, filename, size } of rows) {
    const entry = `blobs/${owner}/${entry_id}/${uuid}`;
    const path = vehicle_id === null ? `/${entry}` : `/${vehicle_id}/${entry}`;
    const { type, bytes } = await download(path);
    const kind = kinds[filename.slice(-3) as keyof typeof kinds];
    expect(type).toBe(kind.type);
    expect(bytes.toString('latin1').startsWith(kind.begins)).toBe(true);
    expect(bytes.length).toBe(size);
  }
});

test('the files are listed where they belong, uploaded', async () => {
  const withFiles = (await fleetIncidents()).filter(({ blobs }) => blobs);
  expect(withFiles.length).toBeGreaterThan(5);
  for (const { blobs } of withFiles) {
    expect(blobs?.every(({ uploaded }) => uploaded)).toBe(true);
  }
});

test('every saved view can be shown, and overwritten as it was read', async () => {
  const { items } = (await service.call('GET', '/saved-views')).json;
  expect(items).toHaveLength(3);
  for (const { id, name } of items) {
    const path = `/saved-views/${id}`;
    const { json: view } = await service.call('GET', path);
    const { filters, sorting } = view;
    expect(filters, name).not.toHaveLength(0);
    const found = await service.call('POST', '/vehicles', { filters, sorting });
    expect(found.json.pagination.totalEntries, name).toBeGreaterThan(0);
    const { status, json } = await service.call('PUT', path, view);
    expect(status).toBe(200);
    expect(json).toMatchObject({ name, filters, sorting });
  }
});

test('two scratches are told to be possibly one', async () => {
  const incident = (await fleetIncidents()).find(
    ({ title }) => title === 'Scratches found at the handover',
  );
  const { json } = await service.call('GET', `/${incident?.vehicleId}/incidents/${incident?.id}`);
  expect(json.possibleDuplicateOf).toHaveLength(1);
});

test('what was charged in two years is what was driven', async () => {
  const rows = await service.db.query<{ id: string; kwh: number; km: number; days: number }>(
    `select v.id, charged.kwh, driven.km, driven.days
     from vehicles v,
       lateral (select sum(charged_kwh) as kwh from charging_sessions c
                where c.provider = v.provider and c.vehicle_id = v.id) charged,
       lateral (select max(odometer) - min(odometer) as km,
                  extract(epoch from max(time) - min(time))::float8 / 86400 as days
                from vehicle_history h where h.provider = v.provider and h.vehicle_id = v.id) driven
     where v.ice_tank_capacity is null and driven.days > 180`,
  );
  expect(rows.length).toBeGreaterThan(80);
  expect(Math.max(...rows.map(({ days }) => days))).toBeGreaterThan(720);
  const consumption = new Map(
    (['DE', 'FR'] as const)
      .flatMap((country) => demoVehicles(demoScope(country, new Date())))
      .map(({ asset, model }) => [asset.id, model.per100Km]),
  );
  for (const { id, kwh, km } of rows) {
    const per100Km = consumption.get(id) ?? 0;
    expect(kwh / ((km * per100Km) / 100), id).toBeGreaterThan(0.85);
    expect(kwh / ((km * per100Km) / 100), id).toBeLessThan(1.15);
  }
});

test('a vehicle that charges has a session that runs, which its messages go on with', async () => {
  const filters = [
    { field: 'status.isCharging', value: true },
    { field: 'information.iceTankCapacity', operator: 'exists', value: false },
  ];
  const charging = (await service.call('POST', '/vehicles', { filters })).json.items;
  expect(charging.length).toBeGreaterThan(10);
  const [{ asset, status }] = charging;
  const sessions = async () =>
    (await service.call('POST', `/${asset.id}/charging`, { pagination: { pageSize: 1_000 } })).json
      .items as { id: string; toDatetime?: string }[];
  const before = await sessions();
  expect(before[0]).toMatchObject({ fromSoC: expect.any(Number) });
  expect(before.filter(({ toDatetime }) => toDatetime === undefined)).toEqual([before[0]]);

  const message = {
    timestamp: new Date().toISOString(),
    isCharging: true,
    isPluggedIn: true,
    fuelLevel: status.fuelLevel + 1,
  };
  const sent = await service.call('PUT', `/${asset.id}/status`, message);
  expect(sent.status).toBe(200);
  expect((await sessions()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});

test('sessions run where the statuses say so, and nowhere else', async () => {
  const wrong = await service.db.query(
    `select s.vehicle_id from vehicle_statuses s
     where coalesce(s.is_charging, false) <> exists (
       select from charging_sessions c
       where c.provider = s.provider and c.vehicle_id = s.vehicle_id and c.to_time is null)
       or s.is_charging and not s.watched`,
  );
  expect(wrong).toEqual([]);
});

test('no position is kept of a vehicle that is not tracked', async () => {
  const kept = await service.db.query(
    `select 1 from vehicles v
     join (select provider, vehicle_id, lat from vehicle_history
           union all select provider, vehicle_id, lat from charging_sessions) told
       on told.provider = v.provider and told.vehicle_id = v.id
     where v.track_geolocation = false and told.lat is not null limit 1`,
  );
  expect(kept).toEqual([]);
});

test('the plan has what is overdue, due soon and far off, from everywhere it can come from', async () => {
  const search = async (field: string, value: string) =>
    (
      await service.call('POST', '/maintenance', {
        filters: [{ field, value }],
        pagination: { pageSize: 1 },
      })
    ).json.pagination.totalEntries;
  for (const status of ['overdue', 'due_soon', 'planned']) {
    expect(await search('status', status), status).toBeGreaterThan(10);
  }
  for (const source of ['manual', 'schedule', 'vehicle', 'inspection']) {
    expect(await search('source', source), source).toBeGreaterThan(8);
  }
});

test('every vehicle in service has an estimate of its inspection', async () => {
  const [counts] = await service.db.query(
    `select count(*) filter (where v.active and i.estimated_date is null) as without,
       count(*) filter (where i.usage = 'rental') > 20 as rentals,
       count(*) filter (where i.passed_on is not null) > 10 as passed
     from vehicles v left join inspections i on i.provider = v.provider and i.vehicle_id = v.id`,
  );
  expect(counts).toEqual({ without: 0, rentals: true, passed: true });
});

// Last, as it makes the fleet anew.
describe('a second start', () => {
  const stored = () =>
    service.db.query<{ key: string }>('select key from stored_objects order by key');

  test('leaves everything as it is', async () => {
    const before = await stored();
    await seed(service);
    expect(await stored()).toEqual(before);
  });

  test('makes good a first one that was cut short', async () => {
    const before = await stored();
    // As after a kill: bytes are there, and half of some, and the transaction is not.
    await forget(service);
    await writeFile(join(service.blobFolder, `${before[0]?.key}.uploading`), 'half');
    await seed(service);
    expect(await stored()).toEqual(before);
    const left = await readdir(service.blobFolder, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile())).toHaveLength(before.length);
  });
});
