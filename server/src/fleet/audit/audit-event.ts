import Type, { type Static } from 'typebox';
import { maxHeaderBytes } from '../../platform/http/header-limit.ts';
import { fieldsOf } from '../../platform/search/field.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import { exampleVehicle, maxVehicleIdLength } from '../vehicles/public.ts';

/** What happens to a record, as the triggers name it. */
const changeActions = { INSERT: 'created', UPDATE: 'changed', DELETE: 'deleted' } as const;
const signInActions = [
  'signed-in',
  'sign-in-failed',
  'code-failed',
  'sign-in-refused',
  'signed-out',
] as const;
const actions = [...Object.values(changeActions), 'exported', ...signInActions] as const;
const actorKinds = ['client', 'user', 'command', 'anonymous'] as const;

/** What the issuer of a token says is bounded by the header that carries it. */
const ofToken = (description: string) => Type.String({ maxLength: maxHeaderBytes, description });

const ActorSchema = Type.Object(
  {
    kind: Type.Enum([...actorKinds], {
      type: 'string',
      description:
        'A client, a person, a command that an operator ran, or nobody who is known, such as whoever fails to sign in.',
    }),
    clientId: Type.Optional(ofToken('The client, also that of a person.')),
    subject: Type.Optional(ofToken('The id of the person or of the client.')),
    username: Type.Optional(
      ofToken('Who signed in, or ran the command: a name of the operating system.'),
    ),
    address: Type.Optional(ofToken('Where the request came from.')),
  },
  { $id: 'AuditActor', additionalProperties: false },
);

const ChangeSchema = Type.Object(
  {
    before: Type.Optional(Type.Unknown({ description: 'Absent where there was none.' })),
    after: Type.Optional(Type.Unknown({ description: 'Absent where there is none.' })),
  },
  { $id: 'AuditChange', additionalProperties: false },
);

export const AuditEventSchema = Type.Object(
  {
    id: Type.Integer(),
    occurredAt: Type.String({ format: 'date-time' }),
    action: Type.Enum([...actions], { type: 'string' }),
    type: Type.String({
      maxLength: 100,
      description: 'What was changed.',
      examples: ['vehicle', 'client'],
    }),
    vehicleId: Type.Optional(
      Type.String({
        maxLength: maxVehicleIdLength,
        description: 'The vehicle that it belongs to.',
      }),
    ),
    recordId: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'The id of the record; a driver has none.' }),
    ),
    actor: ActorSchema,
    operation: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The operationId of the request, or the command.',
      }),
    ),
    requestId: Type.Optional(
      Type.String({ maxLength: 64, description: 'The X-Request-Id of the request.' }),
    ),
    changes: Type.Record(Type.String(), ChangeSchema, {
      description: 'The fields that changed. Of a secret only that it changed, as `***`.',
    }),
    erased: Type.Optional(
      Type.Literal(true, {
        description: 'Changes are missing: they told of a customer whose personal data was erased.',
      }),
    ),
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

const action = `case e.action
  ${Object.entries(changeActions)
    .map(([stored, name]) => `when '${stored}' then '${name}'`)
    .join(' ')} else e.action end`;

/** The events of the trail, newest first. */
export const auditEvents: Searchable = {
  fields: fieldsOf({
    id: ['number', 'e.id'],
    occurredAt: ['date-time', 'e.occurred_at'],
    action: ['text', action, { values: actions }],
    type: ['text', 'e.type'],
    vehicleId: ['text', 'e.vehicle_id'],
    recordId: ['text', 'e.record_id'],
    'actor.kind': ['text', `e.actor ->> 'kind'`, { values: actorKinds }],
    'actor.clientId': ['text', `e.actor ->> 'clientId'`],
    'actor.subject': ['text', `e.actor ->> 'subject'`],
    'actor.username': ['text', `e.actor ->> 'username'`],
    'actor.address': ['text', `e.actor ->> 'address'`],
    operation: ['text', `e.actor ->> 'operation'`],
    requestId: ['text', `e.actor ->> 'requestId'`],
  }),
  columns: `
    e.id, e.occurred_at, ${action} as action, e.type, e.vehicle_id, e.record_id, e.actor, e.changes,
    e.personal is not null as has_personal,
    (select audit_decrypt(e.personal, k.key) from audit_keys k where k.provider = $1 and k.id = e.key_id)
      as personal`,
  from: 'audit_events e',
  defaultOrder: ['e.occurred_at desc'],
  id: 'e.id desc',
};

/** The value of a created or deleted record, and those of a changed one before and after. */
type Columns = Record<string, unknown>;

export type AuditEventRow = {
  id: number;
  occurred_at: string;
  action: AuditEvent['action'];
  type: string;
  vehicle_id: string | null;
  record_id: string | null;
  actor: AuditEvent['actor'] & Pick<AuditEvent, 'operation' | 'requestId'>;
  changes: Columns;
  has_personal: boolean;
  personal: Columns | null;
};

export function auditEventOf(row: AuditEventRow): AuditEvent {
  const { operation, requestId, ...actor } = row.actor;
  const isErased = row.has_personal && !row.personal;
  return {
    id: row.id,
    occurredAt: row.occurred_at,
    action: row.action,
    type: row.type,
    ...(row.vehicle_id !== null && { vehicleId: row.vehicle_id }),
    ...(row.record_id !== null && { recordId: row.record_id }),
    actor,
    ...(operation !== undefined && { operation }),
    ...(requestId !== undefined && { requestId }),
    changes: changesOf(row),
    ...(isErased && { erased: true }),
  };
}

function changesOf({ action, changes, personal }: AuditEventRow): AuditEvent['changes'] {
  const columns = Object.entries({ ...changes, ...personal });
  return Object.fromEntries(
    columns
      .map(([column, value]) => [fieldOf(column), changeOf(action, value)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function changeOf(action: AuditEvent['action'], value: unknown): AuditEvent['changes'][string] {
  if (action === 'created' || action === 'exported') return { after: value };
  if (action === 'deleted') return { before: value };
  const [before, after] = value as [unknown, unknown];
  return { ...(before !== null && { before }), ...(after !== null && { after }) };
}

/** The field of a column: `license_plate` is `licensePlate`. */
function fieldOf(column: string): string {
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
