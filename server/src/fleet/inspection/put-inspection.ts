import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { lockVehicles, vehicleIdParameter } from '../vehicles/public.ts';
import { estimateInspections } from './estimate-inspections.ts';
import {
  exampleInspection,
  exampleRequest,
  InspectionRequestSchema,
  InspectionSchema,
  inspectionIssues,
} from './inspection.ts';
import { readInspection } from './inspection-store.ts';

export const putInspection = operation({
  id: 'putInspection',
  method: 'PUT',
  path: '/{vehicleId}/inspection',
  tag: 'Inspection',
  origin: 'motorpool',
  summary: 'Record a passed inspection, and what decides on the next one',
  description:
    'Overwrites what is recorded: what the body leaves out is cleared, and its default stands in for it. The next inspection is ' +
    'estimated and planned at once.',
  parameters: vehicleIdParameter,
  body: {
    schema: InspectionRequestSchema,
    required: true,
    rules: inspectionIssues,
    examples: {
      passed: { summary: 'A passed inspection', value: exampleRequest },
      rental: {
        summary: 'A rental car that was never inspected',
        value: { usage: 'rental' },
      },
    },
  },
  responses: {
    200: {
      description: 'The estimate that follows from it.',
      schema: InspectionSchema,
      example: exampleInspection,
    },
  },
  notFound: ['vehicle'],
  async handler(
    { provider, parameters: { vehicleId }, body },
    { db, events, clock }: Dependencies,
  ) {
    const { lastInspectionDate, country, usage, fuel, category } = body;
    const facts = [lastInspectionDate, country, usage, fuel, category];
    return db.transaction(async (tx) => {
      if ((await lockVehicles(tx, provider.id, [vehicleId])).length === 0)
        throw notFound('vehicle');
      await tx.query(record, [provider.id, vehicleId, ...facts.map((fact) => fact ?? null)]);
      await estimateInspections({ tx, events, clock }, provider.id, [vehicleId]);
      return { status: 200, body: await readInspection(tx, provider, vehicleId) };
    });
  },
});

const record = `
  insert into inspections (provider, vehicle_id, passed_on, country, usage, fuel, category)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (provider, vehicle_id) do update set
    passed_on = excluded.passed_on, country = excluded.country, usage = excluded.usage,
    fuel = excluded.fuel, category = excluded.category`;
