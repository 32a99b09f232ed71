import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Incident } from '../operations/incidents/incident.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { seedDemo } from './seed.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  await service.db.rows('truncate providers cascade');
  await seedDemo(service.db, service.blobs);
});
afterAll(() => service.stop());

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

  const counts = await service.db.rows<{ provider: string; checklists: number; templates: number }>(
    `select provider, count(distinct vehicle_id) as checklists,
       (select count(*) from checklist_templates t where t.provider = e.provider) as templates
     from checklist_entries e group by provider order by provider`,
  );
  expect(counts).toEqual([
    { provider: 'DE-ABC', checklists: 30, templates: 1 },
    { provider: 'FR-XYZ', checklists: 3, templates: 1 },
  ]);
});

test('every file downloads whole, under its type', async () => {
  const rows = await service.db.rows<Stored>(
    `select vehicle_id, owner, entry_id, uuid, filename, size from blobs where provider = 'DE-ABC'`,
  );
  expect(rows.length).toBeGreaterThan(30);
  for (const { vehicle_id, owner, entry_id, uuid, filename, size } of rows) {
    const { type, bytes } = await download(`/${vehicle_id}/blobs/${owner}/${entry_id}/${uuid}`);
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

test('two scratches are told to be possibly one', async () => {
  const incident = (await fleetIncidents()).find(
    ({ title }) => title === 'Scratches found at the handover',
  );
  const { json } = await service.call('GET', `/${incident?.vehicleId}/incidents/${incident?.id}`);
  expect(json.possibleDuplicateOf).toHaveLength(1);
});

test('a second start leaves everything as it is; one that was cut short is made good', async () => {
  const stored = () =>
    service.db.rows<{ key: string }>('select key from stored_objects order by key');
  const before = await stored();
  await seedDemo(service.db, service.blobs);
  expect(await stored()).toEqual(before);

  // As after a kill: bytes are there, and half of some, and the transaction is not.
  await service.db.rows('truncate providers cascade');
  await writeFile(join(service.blobFolder, `${before[0]?.key}.uploading`), 'half');
  await seedDemo(service.db, service.blobs);
  expect(await stored()).toEqual(before);
  const left = await readdir(service.blobFolder, { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => entry.isFile())).toHaveLength(before.length);
});
