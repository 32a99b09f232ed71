import Type, { type Static } from 'typebox';
import { deadJobsTable } from '../../platform/jobs/dead-jobs.ts';
import { fieldsOf } from '../../platform/search/field.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import { maxVehicleIdLength } from '../vehicles/public.ts';

/** Work of the service that was given up after its last try. */
export const FailedJobSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    job: Type.String({
      maxLength: 100,
      description:
        'What has failed, such as `recognise-incident` (text recognition of the documents of an incident), `recognise-receipt` (of a draft of an invoice), `estimate-inspection`, `plan-fleet` (maintenance that follows from schedules).',
    }),
    vehicleId: Type.Optional(
      Type.String({
        maxLength: maxVehicleIdLength,
        description: 'The vehicle that it was for; absent where it was for the fleet.',
      }),
    ),
    incidentId: Type.Optional(Type.String({ format: 'uuid' })),
    invoiceId: Type.Optional(Type.String({ format: 'uuid' })),
    tries: Type.Integer({ minimum: 1, description: 'How often it was tried.' }),
    createdAt: Type.String({ format: 'date-time', description: 'When it was to be done.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'When it was given up.' }),
  },
  { $id: 'FailedJob', additionalProperties: false },
);
type FailedJob = Static<typeof FailedJobSchema>;

export const exampleFailedJob: FailedJob = {
  id: '5d0f2c1b-7a3e-4f59-9c39-61d2f0a8b7e4',
  job: 'recognise-incident',
  vehicleId: 'DE*ABC*V0001',
  incidentId: '8c1f6c54-2f0b-4b0e-8a55-0f6a6c1d2e3f',
  tries: 13,
  createdAt: '2026-11-15T05:12:00.000Z',
  updatedAt: '2026-11-15T08:30:00.000Z',
};

export type FailedJobRow = {
  id: string;
  job: string;
  vehicle_id: string | null;
  incident_id: string | null;
  invoice_id: string | null;
  tries: number;
  created_at: string;
  updated_at: string;
};

/** Without the error, which may tell of the inside of the service; the operator reads it with `motorpool jobs list`. */
export function failedJobOf(row: FailedJobRow): FailedJob {
  return {
    id: row.id,
    job: row.job,
    ...(row.vehicle_id !== null && { vehicleId: row.vehicle_id }),
    ...(row.incident_id !== null && { incidentId: row.incident_id }),
    ...(row.invoice_id !== null && { invoiceId: row.invoice_id }),
    tries: row.tries,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export const failedJobs: Searchable = {
  fields: fieldsOf({
    id: ['uuid', 'j.id'],
    job: ['text', 'j.job'],
    vehicleId: ['text', 'j.vehicle_id'],
    incidentId: ['uuid', 'j.incident_id'],
    invoiceId: ['uuid', 'j.invoice_id'],
    tries: ['number', 'j.tries'],
    createdAt: ['date-time', 'j.created_at'],
    updatedAt: ['date-time', 'j.updated_at'],
  }),
  columns:
    'j.id, j.job, j.vehicle_id, j.incident_id, j.invoice_id, j.tries, j.created_at, j.updated_at',
  from: `(
    select id, job, tries, created_at, updated_at, data ->> 'provider' as provider,
      data ->> 'vehicleId' as vehicle_id, (data ->> 'incidentId')::uuid as incident_id, (data ->> 'invoiceId')::uuid as invoice_id
    from ${deadJobsTable} dead
  ) j`,
  defaultOrder: ['j.updated_at desc'],
  id: 'j.id',
};
