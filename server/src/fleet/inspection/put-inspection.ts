import { etagOf, requireMatch } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { todayOf } from '../profile/public.ts';
import { lockVehicles, vehicleIdParameter } from '../vehicles/public.ts';
import { estimateInspections } from './estimate-inspections.ts';
import {
  changedMeanwhile,
  etagHeader,
  exampleInspection,
  exampleRequest,
  InspectionRequestSchema,
  InspectionSchema,
  ifMatchHeader,
  inspectionIssues,
} from './inspection.ts';
import { readInspection } from './inspection-store.ts';

export const putInspection = operation({
  id: 'putInspection',
  method: 'PUT',
  path: '/{vehicleId}/inspection',
  tag: 'Inspection',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Record a passed inspection, and what decides on the next one',
  description:
    'Overwrites what is recorded: what the body leaves out is cleared, and its default stands in for it. The next inspection is ' +
    'estimated and planned at once.',
  parameters: vehicleIdParameter,
  requestHeaders: ifMatchHeader,
  body: {
    schema: InspectionRequestSchema,
    required: true,
    rules: inspectionIssues,
    today: todayOf,
    examples: {
      passed: { summary: 'A passed inspection', value: exampleRequest },
      rental: {
        summary: 'A rental car that was never inspected',
        value: { usage: 'rental', vehicleClass: 'M1' },
      },
      van: {
        summary: 'A van',
        value: { usage: 'private', fuel: 'diesel', vehicleClass: 'N1' },
      },
    },
  },
  responses: {
    200: {
      description: 'The estimate that follows from it.',
      schema: InspectionSchema,
      example: exampleInspection,
      headers: etagHeader,
    },
  },
  notFound: ['vehicle'],
  problems: changedMeanwhile,
  async handler(
    { provider, parameters: { vehicleId }, header, body },
    { db, events, clock }: Dependencies,
  ) {
    const { lastInspectionDate, country, usage, fuel, vehicleClass } = body;
    const facts = [lastInspectionDate, country, usage, fuel, vehicleClass];
    const now = clock.now();
    return db.transaction(async (tx) => {
      const locked = await lockVehicles(tx, provider.id, [vehicleId]);
      if (locked.length === 0) throw notFound('vehicle');
      const [row] = (await tx.query<{ version: number }>(upsertInspection, [
        provider.id,
        vehicleId,
        ...facts.map((fact) => fact ?? null),
        now,
      ])) as [{ version: number }];
      requireMatch(header('if-match'), row.version - 1);
      await estimateInspections({ tx, events, clock }, provider.id, [vehicleId]);
      const { inspection, version } = await readInspection(tx, provider, vehicleId, now);
      return { status: 200, headers: { etag: etagOf(version) }, body: inspection };
    });
  },
});

const upsertInspection = `
  insert into inspections as i
    (provider, vehicle_id, version, passed_on, country, usage, fuel, vehicle_class, created_at, updated_at)
  values ($1, $2, 1, $3, $4, $5, $6, $7, $8, $8)
  on conflict (provider, vehicle_id) do update set
    version = i.version + 1, updated_at = excluded.updated_at, passed_on = excluded.passed_on,
    country = excluded.country, usage = excluded.usage, fuel = excluded.fuel,
    vehicle_class = excluded.vehicle_class, category = null
  returning version`;
