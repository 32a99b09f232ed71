import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

/** The texts that were read in the files of an incident, of which there may be a great many. */

const vehicle = 'DE*ABC*T0000';
const customer = {
  mobilityProviderCountryCode: 'DE',
  mobilityProviderCode: 'MOB',
  customerId: '0d6f0b3a-3d55-4b1e-9c63-0f2d0d9f4f10',
};
const ofUser = `/users/DE/MOB/${customer.customerId}`;
// One byte in the database, six in JSON.
const controls = '\u0001'.repeat(90_000);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await makeFleet(service.db, 'DE', 'ABC', 1);
});
afterAll(() => service.stop());

/** An incident of the customer with so many documents of one page. */
async function incidentWith(count: number, text: string) {
  const body = { title: 'Hail', vehicleOperable: true, isResolved: false, customer };
  const { json } = await service.call('POST', `/${vehicle}/incidents`, body);
  onTestFinished(async () => {
    await service.call('DELETE', `/${vehicle}/incidents/${json.id}`);
  });
  await service.db.query(
    `with objects as (
       insert into stored_objects (provider, key) select 'DE-ABC', $2::text || '/' || n from generate_series(1, $3) n
       returning key, split_part(key, '/', 2)::integer as n
     ), files as (
       insert into blobs (provider, vehicle_id, owner, entry_id, filename, content_type, object_key, size, uploaded_at, created_at)
       select 'DE-ABC', $1, 'incidents', $2::uuid, n || '.pdf', 'application/pdf', key, 1, now(), now() + n * interval '1 ms'
       from objects returning uuid, object_key
     )
     insert into incident_documents (provider, vehicle_id, incident_id, blob_uuid, object_key, source, page_count,
       page_texts, suggestions, read_at)
     select 'DE-ABC', $1, $2::uuid, uuid, object_key, 'text-layer', 1, array[$4::text], '[]', now() from files`,
    [vehicle, json.id, count, text],
  );
  return `/${vehicle}/incidents/${json.id}`;
}

test('they are the same wherever they are read', async () => {
  const path = await incidentWith(2, 'a "quoted" \\ text\n');
  const ocr = await service.call('GET', `${path}/ocr`);
  expect(ocr.json).toMatchObject({
    status: 'NOT_STARTED',
    documents: [
      { filename: '1.pdf', status: 'PROCESSED', pages: ['a "quoted" \\ text\n'] },
      { filename: '2.pdf', status: 'PROCESSED', pages: ['a "quoted" \\ text\n'] },
    ],
  });
  for (const of of [ofUser, `${ofUser}/export`]) {
    const { json } = await service.call('GET', of);
    expect(json.incidents.items).toEqual([
      expect.objectContaining({ title: 'Hail', documents: ocr.json.documents }),
    ]);
  }
});

test('those of an incident are bounded as they are answered', async () => {
  const path = await incidentWith(45, controls);
  const { status, json } = await service.call('GET', `${path}/ocr`);
  expect([status, json.detail]).toEqual([422, expect.stringContaining('16 MiB')]);
});

test.each(['ocr', 'the user', 'the export'])(
  '%s is serialized document by document',
  async (of) => {
    const path = await incidentWith(20, controls);
    const lengths: number[] = [];
    const { stringify } = JSON;
    const spied = vi.spyOn(JSON, 'stringify').mockImplementation((...given: [unknown]) => {
      const text = stringify(...given);
      lengths.push(text?.length ?? 0);
      return text;
    });
    onTestFinished(() => spied.mockRestore());
    const paths: Record<string, string> = { ocr: `${path}/ocr`, 'the user': ofUser };
    const { status } = await service.call('GET', paths[of] ?? `${ofUser}/export`);
    expect(status).toBe(200);
    expect(Math.max(...lengths)).toBeLessThan(1.1 * stringify(controls).length);
  },
);
