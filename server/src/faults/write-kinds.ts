import { randomUUID } from 'node:crypto';
import type { FleetRequest } from './fleet-client.ts';

type Call = (request: FleetRequest) => Promise<{ json: Record<string, string> }>;

/** What a writer writes: each write has a marker, by which the database tells how much of it is stored. */
export type WriteKind = {
  name: string;
  /** The marker of the write of a number. */
  marker(number: number): string;
  /** The one request that writes; what it needs is made before. */
  prepare(context: { call: Call; vehicleId: string; marker: string }): Promise<FleetRequest>;
  /** SQL: how many rows the writes with the markers $1 have stored, as `marker` and `parts`. */
  stored: string;
  parts: number;
};

const today = new Date().toISOString().slice(0, 10);
const begin = Date.now() - 36_000_000;
const marked = (prefix: string) => (number: number) => `${prefix}-${number}`;
const put = (path: string, body: object): FleetRequest => ({ method: 'PUT', path, body });
/** Sent again with the same key, it happens once. */
const post = (path: string, body?: object | string): FleetRequest => ({
  method: 'POST',
  path,
  ...(body !== undefined && { body }),
  headers: { 'idempotency-key': randomUUID() },
});

/** A record with its entry in the audit trail and its event. */
const record = (table: string, type: string, column: string) => `
  with records as (select ${column} as marker, id::text from ${table} where ${column} = any($1)),
  parts as (
    select id from records
    union all select record_id from audit_events
      where type = '${type}' and action = 'INSERT' and record_id in (select id from records)
    union all select record_id from (
      select type, record_id from event_outbox union all select type, record_id from event_log
    ) events where type = '${type}.created.v1' and record_id in (select id from records)
  )
  select marker, count(*)::int as parts from records join parts using (id) group by 1`;

const rows = (table: string, column: string, condition = 'true') => `
  select ${column}::text as marker, count(*)::int as parts from ${table}
  where ${column}::text = any($1) and ${condition} group by 1`;

/** A change that is sent again may be recorded again. */
const changes = (table: string, value: string) => `
  select distinct ${value} as marker, 1 as parts from ${table} where ${value} = any($1)`;

/** Odometers are markers: no two messages of different writes have the same. */
const kilometres = (number: number) => String(number / 1_000);
const historyOf = rows('vehicle_history', 'odometer', 'vehicle_id like $$%-SENT$$');

export const writeKinds: readonly WriteKind[] = [
  {
    name: 'vehicle',
    marker: marked('vehicle'),
    prepare: async ({ marker }) => put(`/DE*ABC*${marker}`, { information: { variant: marker } }),
    stored: record('vehicles', 'vehicle', 'variant'),
    parts: 3,
  },
  {
    name: 'change of a vehicle',
    marker: marked('change'),
    prepare: async ({ vehicleId, marker }) =>
      put(`/${vehicleId}`, { information: { variant: marker } }),
    stored: changes('audit_events', "(changes->'variant'->>1)"),
    parts: 1,
  },
  {
    name: 'deletion of a vehicle',
    marker: (number) => `DE*ABC*deleted-${number}`,
    async prepare({ call, marker }) {
      await call(put(`/${marker}`, { information: {} }));
      return { method: 'DELETE', path: `/${marker}` };
    },
    stored: rows('audit_events', 'record_id', "type = 'vehicle' and action = 'DELETE'"),
    parts: 1,
  },
  {
    name: 'batch of messages',
    marker: (number) => kilometres(number),
    prepare: async ({ vehicleId, marker }) => {
      const at = begin + Math.round(Number(marker) * 1_000) * 20;
      const messages = Array.from({ length: 20 }, (_, index) => ({
        vehicleId: `${vehicleId}-SENT`,
        timestamp: new Date(at + index).toISOString(),
        odometer: Number(marker),
      }));
      return { method: 'POST', path: '/databox/messages', body: messages };
    },
    stored: historyOf,
    parts: 20,
  },
  {
    name: 'status',
    marker: (number) => kilometres(number),
    prepare: async ({ vehicleId, marker }) =>
      put(`/${vehicleId}-SENT/status`, {
        timestamp: new Date(begin + Math.round(Number(marker) * 1_000) * 20).toISOString(),
        odometer: Number(marker),
      }),
    stored: historyOf,
    parts: 1,
  },
  {
    name: 'incident',
    marker: marked('incident'),
    prepare: async ({ vehicleId, marker }) => post(`/${vehicleId}/incidents`, incident(marker)),
    stored: record('incidents', 'incident', 'title'),
    parts: 3,
  },
  {
    name: 'change of an incident',
    marker: marked('solved'),
    async prepare({ call, vehicleId, marker }) {
      const { json } = await call(post(`/${vehicleId}/incidents`, incident('open')));
      return put(`/${vehicleId}/incidents/${json.id}`, incident(marker));
    },
    stored: changes(
      '(select after from event_outbox union all select after from event_log) e',
      "(after->>'title')",
    ),
    parts: 1,
  },
  {
    name: 'entry of a logbook',
    marker: marked('logbook'),
    prepare: async ({ vehicleId, marker }) =>
      post(`/${vehicleId}/logbook`, { date: today, category: 'other', title: marker }),
    stored: record('logbook_entries', 'logbook-entry', 'title'),
    parts: 3,
  },
  {
    name: 'checklist from a template',
    marker: marked('checklist'),
    async prepare({ call, marker }) {
      const vehicleId = `DE*ABC*${marker}`;
      await call(put(`/${vehicleId}`, { information: {} }));
      const entries = Array.from({ length: 5 }, () => ({ title: marker, type: 'check' }));
      const { json } = await call(post('/checklist-templates', { name: marker, entries }));
      return post(`/${vehicleId}/checklist/templates/${json.id}`);
    },
    stored: rows('checklist_entries', 'title'),
    parts: 5,
  },
  {
    name: 'invoice',
    marker: marked('invoice'),
    prepare: async ({ vehicleId, marker }) =>
      post('/invoices', {
        number: marker,
        supplier: { name: 'Werkstatt Mitte GmbH' },
        issueDate: today,
        currency: 'EUR',
        lines: ['1.5', '2', '4.25'].map((quantity) => ({
          text: 'Labour',
          kind: 'maintenance',
          quantity,
          unit: 'HUR',
          unitPrice: '98.50',
          vatRate: '19',
          vehicleId,
        })),
      }),
    stored: rows(
      'invoices i join invoice_lines l on l.provider = i.provider and l.invoice_id = i.id',
      'i.number',
    ),
    parts: 3,
  },
  {
    name: 'completed maintenance',
    marker: marked('maintenance'),
    async prepare({ call, vehicleId, marker }) {
      const report = { title: marker, type: 'tyres', dueDate: '2099-11-30' };
      const { json } = await call(post(`/${vehicleId}/maintenance`, report));
      return post(`/${vehicleId}/maintenance/${json.id}/done`, {});
    },
    // The closed report, and the entry of the logbook that follows from it.
    stored: rows(
      `(select title from maintenance_reports where closed_at is not null
        union all select title from logbook_entries) done`,
      'title',
    ),
    parts: 2,
  },
  {
    name: 'driver',
    marker: () => randomUUID(),
    prepare: async ({ vehicleId, marker }) =>
      put(`/${vehicleId}/drivers`, {
        mobilityProviderCountryCode: 'DE',
        mobilityProviderCode: 'MOB',
        customerId: marker,
      }),
    stored: rows('drivers', 'customer_id'),
    parts: 1,
  },
  {
    name: 'charging session',
    marker: marked('session'),
    prepare: async ({ vehicleId, marker }) =>
      put(`/${vehicleId}/charging/${marker}`, {
        fromDatetime: new Date(begin).toISOString(),
        toDatetime: new Date(begin + 60_000).toISOString(),
        chargedKWh: 1,
      }),
    stored: rows('charging_sessions', 'id'),
    parts: 1,
  },
  {
    name: 'file',
    marker: marked('file'),
    async prepare({ call, vehicleId, marker }) {
      const entry = { date: today, category: 'other', title: 'with a file' };
      const { json: made } = await call(post(`/${vehicleId}/logbook`, entry));
      const files = `/${vehicleId}/blobs/logbook/${made.id}`;
      const { json } = await call(post(files, { filename: marker }));
      return { method: 'PUT', path: `${files}/${json.uuid}`, body: Buffer.alloc(50_000, marker) };
    },
    stored: rows('blobs', 'filename', 'size = 50000 and object_key is not null'),
    parts: 1,
  },
  {
    name: 'import of vehicles',
    marker: marked('import'),
    prepare: async ({ marker }) => {
      const lines = Array.from({ length: 10 }, (_, index) => `DE*ABC*${marker}-${index},${marker}`);
      return post('/imports/vehicles', `id,variant\n${lines.join('\n')}\n`);
    },
    stored: rows('vehicles', 'variant'),
    parts: 10,
  },
  {
    name: 'user',
    marker: marked('user'),
    prepare: async ({ marker }) =>
      post('/administration/users', { username: marker, name: marker }),
    stored: rows('users', 'username'),
    parts: 1,
  },
];

function incident(title: string): object {
  return { title, vehicleOperable: true, isResolved: false };
}
