import Type, { type Static } from 'typebox';
import { textParameter } from '../../platform/http/path-parameter.ts';
import { fieldsOf } from '../../platform/search/field.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import { webhookParameter } from './webhook.ts';

const statuses = ['pending', 'delivered', 'failed'] as const;

/** Unset values are absent. */
export const DeliverySchema = Type.Object(
  {
    sequence: Type.String({
      pattern: '^\\d{1,18}$',
      maxLength: 18,
      description: 'The sequence of the event.',
    }),
    eventId: Type.String({
      format: 'uuid',
      description: 'The id of the event, and the `webhook-id` of every try.',
    }),
    type: Type.String({ maxLength: 100, description: 'The type of the event.' }),
    vehicleId: Type.Optional(
      Type.String({ maxLength: 100, description: 'The vehicle that the event is about.' }),
    ),
    status: Type.Enum([...statuses], {
      type: 'string',
      description: '`failed`: it is not tried again, unless it is sent again by hand.',
    }),
    tries: Type.Integer({ description: 'How often it was tried.' }),
    createdAt: Type.String({ format: 'date-time', description: 'When it was scheduled.' }),
    lastTriedAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When it was last tried.' }),
    ),
    nextTryAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'From when on it is tried next.' }),
    ),
    answerStatus: Type.Optional(
      Type.Integer({ description: 'The status with which the receiver answered the last try.' }),
    ),
    error: Type.Optional(
      Type.String({ maxLength: 500, description: 'Why the last try had no answer.' }),
    ),
  },
  { $id: 'WebhookDelivery', additionalProperties: false },
);
type Delivery = Static<typeof DeliverySchema>;

export const exampleDelivery: Delivery = {
  sequence: '4711',
  eventId: '0f8a6c1e-93b7-4d52-8f4e-5a6b7c8d9e0f',
  type: 'incident.created.v1',
  vehicleId: 'DE*ABC*V0001',
  status: 'pending',
  tries: 2,
  createdAt: '2026-11-15T08:30:00.000Z',
  lastTriedAt: '2026-11-15T08:30:06.000Z',
  nextTryAt: '2026-11-15T08:30:38.000Z',
  answerStatus: 503,
};

export const deliveryParameters = {
  ...webhookParameter,
  sequence: textParameter(18, 'The sequence of the event.', exampleDelivery.sequence),
};

export const deliveryColumns = `d.number, d.event_id, d.type, d.vehicle_id, d.status, d.tries, d.created_at, d.last_tried_at, d.next_try_at,
  d.answer_status, d.error`;

export type DeliveryRow = {
  number: number;
  event_id: string;
  type: string;
  vehicle_id: string | null;
  status: Delivery['status'];
  tries: number;
  created_at: string;
  last_tried_at: string | null;
  next_try_at: string | null;
  answer_status: number | null;
  error: string | null;
};

export function deliveryOf(row: DeliveryRow): Delivery {
  return {
    sequence: String(row.number),
    eventId: row.event_id,
    type: row.type,
    ...(row.vehicle_id !== null && { vehicleId: row.vehicle_id }),
    status: row.status,
    tries: row.tries,
    createdAt: row.created_at,
    ...(row.last_tried_at !== null && { lastTriedAt: row.last_tried_at }),
    ...(row.next_try_at !== null && { nextTryAt: row.next_try_at }),
    ...(row.answer_status !== null && { answerStatus: row.answer_status }),
    ...(row.error !== null && { error: row.error }),
  };
}

export const deliveries: Searchable = {
  fields: fieldsOf({
    sequence: ['text', 'd.number::text'],
    eventId: ['uuid', 'd.event_id'],
    type: ['text', 'd.type'],
    vehicleId: ['text', 'd.vehicle_id'],
    status: ['text', 'd.status', { values: statuses }],
    tries: ['number', 'd.tries'],
    createdAt: ['date-time', 'd.created_at'],
    lastTriedAt: ['date-time', 'd.last_tried_at'],
    nextTryAt: ['date-time', 'd.next_try_at'],
    answerStatus: ['number', 'd.answer_status'],
    error: ['text', 'd.error'],
  }),
  columns: deliveryColumns,
  from: 'webhook_deliveries d',
  defaultOrder: ['d.number desc'],
  id: 'd.number',
};
