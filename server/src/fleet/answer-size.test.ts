import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../platform/db/database.ts';
import { maxAnswerBytes } from '../platform/http/large-json.ts';
import { searchLimits } from '../platform/search/limits.ts';
import type { AnyOperation } from '../testing/contract/requests.ts';
import { maxBytesOf, type SizedSchema, unboundedIn } from '../testing/contract/schema-size.ts';
import { giveUpJob } from '../testing/give-up-job.ts';
import { makeFleet } from '../testing/make-fleet.ts';
import { problemType } from '../testing/problem-type.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { operations } from './index.ts';

/** No list or search answers more than a bound, and no request stores more than one. */

const pageSchema = ({ responses }: AnyOperation) => {
  const { properties } = (responses[200]?.schema ?? {}) as SizedSchema;
  return properties?.items && properties.pagination ? properties : undefined;
};

/** The largest page by the schema of its items. */
function largestPage(operation: AnyOperation): number {
  const { items, pagination } = pageSchema(operation) as Record<string, SizedSchema>;
  const item = items?.items ?? (items?.additionalProperties as SizedSchema);
  // With the key of an item in an object, and its separators.
  return searchLimits.pageSize * (maxBytesOf(item) + 48) + maxBytesOf(pagination ?? {}) + 100;
}

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ statementTimeoutMs: 60_000 });
  await service.call('PUT', '/DE*ABC*V1', { information: {} });
});
afterAll(() => service.stop());

// Rows of 40 kB: a page of 1,000 exceeds the bound, and one of 100 does not.
const rows = 500;
const text = "repeat('🚗', 10000)";
const vehicle = "'DE-ABC', 'DE*ABC*V1'";
const times = 'now(), now()';
const ofVehicle = '/DE*ABC*V1';

/** The operations whose pages are not bounded by their schemas, with rows that fill them. */
const large: Record<string, { path: string; insert: string }> = {
  findIncidents: {
    path: 'POST /incidents',
    insert: `insert into incidents (provider, vehicle_id, title, vehicle_operable, is_resolved, report_timestamp, updated_at)
      select ${vehicle}, ${text}, true, true, ${times} from generate_series(1, ${rows})`,
  },
  listIncidents: { path: `GET ${ofVehicle}/incidents`, insert: '' },
  listLogbookEntries: {
    path: `GET ${ofVehicle}/logbook`,
    insert: `insert into logbook_entries (provider, vehicle_id, date, category, title, description, created_at, updated_at)
      select ${vehicle}, '2026-01-01', 'other', 'x', ${text}, ${times} from generate_series(1, ${rows})`,
  },
  listChecklist: {
    path: `GET ${ofVehicle}/checklist`,
    insert: `insert into checklist_entries (provider, vehicle_id, position, ordinal, title, type, comment, created_at, updated_at)
      select ${vehicle}, n, n, 'x', 'check', ${text}, ${times} from generate_series(1, ${rows}) n`,
  },
  listChecklistTemplates: {
    path: 'GET /checklist-templates',
    insert: `insert into checklist_templates (provider, name, entries, created_at, updated_at)
      select 'DE-ABC', n, (
        select jsonb_agg(jsonb_build_object('title', repeat('🚗', 200), 'type', 'check', 'required', true)) from generate_series(1, 50)
      ), ${times}
      from generate_series(1, ${rows}) n`,
  },
  listSavedViews: {
    path: 'GET /saved-views',
    insert: `insert into saved_views (provider, name, definition, created_at, updated_at)
      select 'DE-ABC', n, (
        select jsonb_build_object('filters', jsonb_build_array(
          jsonb_build_object('field', 'vin', 'operator', 'in', 'value', jsonb_agg(repeat('🚗', 100)))
        )) from generate_series(1, 100)
      ), ${times}
      from generate_series(1, ${rows}) n`,
  },
  findInvoices: {
    path: 'POST /invoices/search',
    insert: `insert into invoices (provider, status, type, currency, note, line_net_amount, allowance_amount, charge_amount,
        tax_exclusive_amount, tax_amount, tax_inclusive_amount, prepaid_amount, rounding_amount, payable_amount, created_at, updated_at)
      select 'DE-ABC', 'draft', 'invoice', 'EUR', ${text}, 0, 0, 0, 0, 0, 0, 0, 0, 0, ${times} from generate_series(1, ${rows})`,
  },
  listMaintenanceSchedules: {
    path: 'GET /maintenance-schedules',
    insert: `insert into maintenance_schedules (provider, title, type, interval_months, notes, created_at, updated_at)
      select 'DE-ABC', 'x', 'other', 1, ${text}, ${times} from generate_series(1, ${rows})`,
  },
  listPlannedMaintenance: {
    path: 'POST /maintenance',
    insert: `insert into maintenance_reports (provider, vehicle_id, source, title, type, notes, created_at, updated_at)
      select ${vehicle}, 'manual', 'x', 'other', ${text}, ${times} from generate_series(1, ${rows})`,
  },
  listVehicleMaintenance: { path: `GET ${ofVehicle}/maintenance`, insert: '' },
  findAuditEvents: {
    path: 'POST /audit/search',
    insert: `insert into audit_events (provider, action, type, actor, changes)
      select 'DE-ABC', 'INSERT', 'incident', '{"kind": "client"}', jsonb_build_object('title', ${text})
      from generate_series(1, ${rows})`,
  },
  // Those of the incidents.
  findEvents: { path: 'POST /events/search', insert: '' },
  findClients: {
    path: 'POST /administration/clients/search',
    insert: `insert into clients (provider, id, name, redirect_uris)
      select 'DE-ABC', 'client-' || n, 'A client', array(select repeat('🚗', 990) || i from generate_series(1, 10) i) from generate_series(1, ${rows}) n`,
  },
  findSignInSessions: {
    path: 'POST /administration/sessions/search',
    insert: `insert into oidc_records (provider, kind, id, uid, payload, expires_at, address)
      select 'DE-ABC', 'Session', 'session-' || n, 'uid-' || n,
        '{"accountId": "someone", "loginTs": 1700000000, "authorizations": {}}', now() + interval '1 day', ${text}
      from generate_series(1, ${rows}) n`,
  },
  findUsers: {
    path: 'POST /users',
    // Without checks and audit, which would take most of the time.
    insert: `alter table drivers drop constraint drivers_vehicle_fkey; alter table drivers disable trigger user;
      insert into drivers (provider, vehicle_id, customer_country_code, customer_provider_code, customer_id, added_at)
      select 'DE-ABC', 'DE*ABC*' || lpad(vehicle::text, 64, '0'), 'ZZ', 'ALL',
        ('00000000-0000-4000-8000-' || lpad(one::text, 12, '0'))::uuid, now()
      from generate_series(1, ${rows}) one, generate_series(1, 300) vehicle`,
  },
};

test('every list and search is bounded by its schema, or known to need a bound', () => {
  // A list and its search have one schema, and read in the same way.
  const bySchema = new Map(operations.map((one) => [pageSchema(one), one] as const).toReversed());
  bySchema.delete(undefined);
  const pages = [...bySchema.values()];
  const unbounded = pages.filter((operation) => largestPage(operation) > maxAnswerBytes);
  expect(unbounded.map(({ id }) => id).sort()).toEqual(Object.keys(large).sort());
  expect(pages.length).toBeGreaterThan(unbounded.length);
});

describe.each(Object.entries(large))('%s', (_id, { path, insert }) => {
  const [method = '', resource = ''] = path.split(' ');
  const read = (pageSize: number) =>
    method === 'POST'
      ? service.call(method, resource, { pagination: { pageSize } })
      : service.call(method, `${resource}?pageSize=${pageSize}`);

  test('a page that is too large is refused, and smaller ones are answered whole', async () => {
    if (insert) await service.owner.queryUnprepared(insert);
    const refused = await read(1_000);
    expect([refused.status, refused.json.type]).toEqual([422, problemType('answer-too-large')]);
    expect(refused.json.detail).toContain('pageSize');
    // By what is read at once, in pieces, and by what is serialized in pieces.
    for (const pageSize of [1, 100, 101, 200]) {
      const { status, headers, json, bytes } = await read(pageSize);
      expect(status, `${pageSize}`).toBe(200);
      expect(Object.keys(json.items)).toHaveLength(pageSize);
      expect(bytes.length).toBeLessThan(maxAnswerBytes);
      if (pageSize >= 100) expect(headers).not.toHaveProperty('content-length');
    }
  });
});

/** Operations whose pages are bounded by their schemas, and can be large nonetheless. */
const boundedBySchema: Record<string, { path: string; seed(): Promise<unknown> }> = {
  findVehicles: { path: '/vehicles', seed: () => makeFleet(service.db, 'DE', 'ABC', 1_000) },
  findUserAccounts: {
    path: '/administration/users/search',
    seed: () =>
      service.db.query(`insert into users (provider, username, name)
        select 'DE-ABC', 'user-' || n, repeat('🚗', 100) from generate_series(1, 1000) n`),
  },
  findFailedJobs: {
    path: '/administration/failed-jobs/search',
    async seed() {
      const id = '8c1f6c54-2f0b-4b0e-8a55-0f6a6c1d2e3f';
      const vehicleId = `DE*ABC*${'V'.repeat(64)}`;
      const payload = { provider: 'DE-ABC', vehicleId, incidentId: id, invoiceId: id };
      await giveUpJob(service.db, id, 'j'.repeat(100), payload);
      await service.owner.query(`insert into pgboss.job (name, state, data, source_name, created_on)
        select name, state, data, source_name, created_on from pgboss.job, generate_series(1, 1000) where id = '${id}'`);
    },
  },
};

test.each(Object.entries(boundedBySchema))(
  'a large page of %s is serialized in pieces, and a small one at once',
  async (_id, { path, seed }) => {
    await seed();
    const read = (pageSize: number) => service.call('POST', path, { pagination: { pageSize } });
    const large = await read(1_000);
    expect(large.bytes.length).toBeGreaterThan(262_144);
    expect(large.headers).not.toHaveProperty('content-length');
    const { items, pagination } = large.json;
    expect(items).toHaveLength(1_000);
    const small = await read(10);
    expect(small.headers).toHaveProperty('content-length');
    expect(small.json).toEqual({
      items: items.slice(0, 10),
      pagination: { ...pagination, pageSize: 10 },
    });
  },
);

describe('what a request can store', () => {
  const isBody = ({ body, batch }: AnyOperation) => body ?? batch;

  /** What a schema need not bound, and why. */
  const reasons: Record<string, RegExp> = {
    'a value that is ignored': /^readOnly$/,
    'a value of a filter, which is bounded by the type of its field': /\/filters\/\*\/value$/,
  };

  test.each(operations.filter(isBody).map((operation) => [operation.id, operation] as const))(
    'is bounded in the body of %s',
    (_id, operation) => {
      const schema = (isBody(operation)?.schema ?? {}) as SizedSchema;
      const found = unboundedIn(withoutReadOnly(schema) as SizedSchema);
      const allowed = Object.values(reasons);
      expect(found.filter((at) => !allowed.some((reason) => reason.test(at)))).toEqual([]);
    },
  );

  function withoutReadOnly(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(withoutReadOnly);
    if (typeof schema !== 'object' || schema === null) return schema;
    const kept = Object.entries(schema).filter(
      ([, one]) => !(one as { readOnly?: boolean } | null)?.readOnly,
    );
    return Object.fromEntries(kept.map(([name, one]) => [name, withoutReadOnly(one)]));
  }

  test('an incident of more than 256 KiB is refused, however it is distributed', async () => {
    const damage = {
      damageType: 'scratch',
      severity: 'light',
      repaired: false,
      position: 'antenna',
    };
    const required = { title: 'x', vehicleOperable: true, isResolved: false };
    const many = (count: number, title: string) =>
      Array.from({ length: count }, () => ({ ...damage, title }));
    const incident = await service.call('POST', '/DE*ABC*V1/incidents', required);
    for (const [method, path] of [
      ['POST', '/DE*ABC*V1/incidents'],
      ['PUT', `/DE*ABC*V1/incidents/${incident.json.id}`],
    ] as const) {
      for (const damages of [many(30, 'x'.repeat(10_000)), many(1_000, '🚗'.repeat(60))]) {
        const { status, json } = await service.call(method, path, { ...required, damages });
        expect([status, json.detail]).toEqual([400, expect.stringContaining('262144 bytes')]);
      }
      const largest = { ...required, damages: many(1_000, 'x'.repeat(100)) };
      expect((await service.call(method, path, largest)).status).toBeLessThan(300);
    }
  });

  test('an entry has at most 200 files', async () => {
    const { json } = await service.call('POST', '/DE*ABC*V1/logbook', {
      date: '2026-01-01',
      title: 'x',
    });
    const announce = () =>
      service.call('POST', `/DE*ABC*V1/blobs/logbook/${json.id}`, { filename: 'a.pdf' });
    await service.db.query(
      `insert into blobs (provider, vehicle_id, owner, entry_id, filename, content_type, created_at)
       select 'DE-ABC', 'DE*ABC*V1', 'logbook', $1, 'a.pdf', 'x/y', now() from generate_series(1, 199)`,
      [json.id],
    );
    // Both have begun, and wait for the entry.
    let announcing: ReturnType<typeof announce>[] = [];
    await service.db.transaction(async (tx) => {
      await tx.query('select from logbook_entries where id = $1 for update', [json.id]);
      announcing = [announce(), announce()];
      await expect.poll(() => waiting(service.owner)).toBe(2);
    });
    const answers = await Promise.all(announcing);
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    const refused = await announce();
    expect([refused.status, refused.json.type]).toEqual([409, problemType('too-many-files')]);
  });
});

async function waiting(db: Database): Promise<number> {
  const rows = await db.query<{ pid: number }>(
    `select distinct l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where not l.granted and a.datname = current_database()`,
  );
  return rows.length;
}
