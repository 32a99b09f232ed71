import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../platform/search/field.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import { exampleVehicle } from '../vehicles/public.ts';

const actions = [
  'created',
  'changed',
  'deleted',
  'signed-in',
  'sign-in-failed',
  'sign-in-refused',
  'signed-out',
] as const;
const actorKinds = ['client', 'user', 'command', 'anonymous'] as const;

const ActorSchema = Type.Object(
  {
    kind: Type.Enum([...actorKinds], {
      type: 'string',
      description:
        'A client, a person, a command that an operator ran, or nobody who is known, such as whoever fails to sign in.',
    }),
    clientId: Type.Optional(Type.String({ description: 'The client, also that of a person.' })),
    subject: Type.Optional(Type.String({ description: 'The id of the person or of the client.' })),
    username: Type.Optional(
      Type.String({
        description: 'Who signed in, or ran the command: a name of the operating system.',
      }),
    ),
    address: Type.Optional(Type.String({ description: 'Where the request came from.' })),
  },
  { $id: 'AuditActor', additionalProperties: false },
);

const ChangeSchema = Type.Object(
  {
    before: Type.Optional(
      Type.Unknown({ description: 'Absent where there was none, or it is erased.' }),
    ),
    after: Type.Optional(
      Type.Unknown({ description: 'Absent where there is none, or it is erased.' }),
    ),
    erased: Type.Optional(
      Type.Literal(true, {
        description: 'A value told of a customer whose personal data was erased.',
      }),
    ),
  },
  { $id: 'AuditChange', additionalProperties: false },
);

export const AuditEventSchema = Type.Object(
  {
    id: Type.Integer(),
    occurredAt: Type.String({ format: 'date-time' }),
    action: Type.Enum([...actions], { type: 'string' }),
    type: Type.String({ description: 'What was changed.', examples: ['vehicle', 'client'] }),
    vehicleId: Type.Optional(Type.String({ description: 'The vehicle that it belongs to.' })),
    recordId: Type.Optional(
      Type.String({ description: 'The id of the record; a driver has none.' }),
    ),
    actor: ActorSchema,
    operation: Type.Optional(
      Type.String({ description: 'The operationId of the request, or the command.' }),
    ),
    requestId: Type.Optional(Type.String({ description: 'The X-Request-Id of the request.' })),
    changes: Type.Record(Type.String(), ChangeSchema, {
      description: 'The fields that changed. Of a secret only that it changed, as `***`.',
    }),
  },
  { $id: 'AuditEvent', additionalProperties: false },
);
export type AuditEvent = Static<typeof AuditEventSchema>;

export const exampleEvent: AuditEvent = {
  id: 48_151,
  occurredAt: '2026-11-15T09:24:31.207Z',
  action: 'changed',
  type: 'vehicle',
  vehicleId: exampleVehicle.asset.id,
  recordId: exampleVehicle.asset.id,
  actor: {
    kind: 'client',
    clientId: 'erp-4f1c09a7d2',
    subject: 'erp-4f1c09a7d2',
    address: '203.0.113.7',
  },
  operation: 'putVehicle',
  requestId: '0198a1de-2c7e-4a39-9d0e-3a2c1b4d5e6f',
  changes: { licensePlate: { before: 'M-AB 123', after: 'M-AB 124' } },
};

/** What is personal, where its key is there still. */
const personal = (side: 'before' | 'after') => `
  e.${side}_personal is not null as has_${side}_personal,
  (select audit_decrypt(e.${side}_personal, k.key) from customer_keys k
   where k.provider = e.provider and k.id = e.${side}_key) as ${side}_personal`;

/** The events of the trail, newest first. */
export const auditEvents: Searchable = {
  fields: fieldsOf({
    id: ['number', 'e.id'],
    occurredAt: ['date-time', 'e.occurred_at'],
    action: ['text', 'e.action', { values: actions }],
    type: ['text', 'e.type'],
    vehicleId: ['text', 'e.vehicle_id'],
    recordId: ['text', 'e.record_id'],
    'actor.kind': ['text', 'e.actor_kind', { values: actorKinds }],
    'actor.clientId': ['text', 'e.client_id'],
    'actor.subject': ['text', 'e.subject'],
    'actor.username': ['text', 'e.username'],
    'actor.address': ['text', 'e.address'],
    operation: ['text', 'e.operation'],
    requestId: ['text', 'e.request_id'],
  }),
  columns: `
    e.id, e.occurred_at, e.action, e.type, e.vehicle_id, e.record_id, e.actor_kind, e.client_id, e.subject, e.username,
    e.address, e.operation, e.request_id, e.before, e.after, e.personal_columns,
    ${personal('before')}, ${personal('after')}`,
  from: 'audit_events e',
  defaultOrder: ['e.occurred_at desc'],
  id: 'e.id desc',
};

type Values = Record<string, unknown>;

export type AuditEventRow = {
  id: number;
  occurred_at: string;
  action: AuditEvent['action'];
  type: string;
  vehicle_id: string | null;
  record_id: string | null;
  actor_kind: AuditEvent['actor']['kind'];
  client_id: string | null;
  subject: string | null;
  username: string | null;
  address: string | null;
  operation: string | null;
  request_id: string | null;
  before: Values;
  after: Values;
  personal_columns: string[] | null;
  has_before_personal: boolean;
  before_personal: Values | null;
  has_after_personal: boolean;
  after_personal: Values | null;
};

export function auditEventOf(row: AuditEventRow): AuditEvent {
  return {
    id: row.id,
    occurredAt: row.occurred_at,
    action: row.action,
    type: row.type,
    ...(row.vehicle_id !== null && { vehicleId: row.vehicle_id }),
    ...(row.record_id !== null && { recordId: row.record_id }),
    actor: {
      kind: row.actor_kind,
      ...(row.client_id !== null && { clientId: row.client_id }),
      ...(row.subject !== null && { subject: row.subject }),
      ...(row.username !== null && { username: row.username }),
      ...(row.address !== null && { address: row.address }),
    },
    ...(row.operation !== null && { operation: row.operation }),
    ...(row.request_id !== null && { requestId: row.request_id }),
    changes: changesOf(row),
  };
}

function changesOf(row: AuditEventRow): AuditEvent['changes'] {
  const before = { ...row.before, ...row.before_personal };
  const after = { ...row.after, ...row.after_personal };
  const isErased =
    (row.has_before_personal && !row.before_personal) ||
    (row.has_after_personal && !row.after_personal);
  const personalColumns = row.personal_columns ?? [];
  const columns = new Set([...Object.keys(before), ...Object.keys(after), ...personalColumns]);
  return Object.fromEntries(
    [...columns].sort().map((column) => [
      fieldOf(column),
      {
        ...(column in before && { before: before[column] }),
        ...(column in after && { after: after[column] }),
        ...(isErased && personalColumns.includes(column) && { erased: true as const }),
      },
    ]),
  );
}

/** The field of a column: `license_plate` is `licensePlate`. */
function fieldOf(column: string): string {
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
