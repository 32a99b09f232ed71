import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { invalidBody } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { filtersSchema } from '../shared/filters.ts';
import { pageOf, pageRequestProperties, pageResponse } from '../shared/page.ts';
import { type Searchable, search, searchFaults } from '../shared/search.ts';
import { sortingSchema } from '../shared/sorting.ts';
import { requireVehicle, vehicleIdParameter } from '../shared/vehicle-scope.ts';
import { type ChargingRow, chargingColumns, chargingFields, sessionOf } from './charging-fields.ts';
import { ChargingSessionSchema, exampleSession } from './charging-session.ts';

const ChargingHistorySchema = Type.Object(
  {
    filters: Type.Optional(filtersSchema('ChargingSession', chargingFields)),
    sorting: Type.Optional(sortingSchema('ChargingSession', chargingFields)),
    ...pageRequestProperties,
  },
  { $id: 'ChargingHistoryRequest', additionalProperties: false },
);

export const chargingHistory = operation({
  id: 'chargingHistory',
  method: 'POST',
  path: '/{vehicleId}/charging',
  tag: 'Vehicles',
  origin: 'interface',
  summary: 'Charging history of a vehicle',
  description:
    'Returns the charging sessions of the vehicle that match all filters, in pages; without a body, the newest 100. Sessions ' +
    'are found in the telemetry of the vehicle, or recorded from elsewhere; where both know of one, the record is told. ' +
    'A session that runs has no toDatetime and no toSoC. `sorting` is Motorpool’s own: without it the newest comes first.',
  parameters: vehicleIdParameter,
  body: {
    schema: ChargingHistorySchema,
    required: false,
    rules: (body) => searchFaults(sessions, body),
    examples: {
      period: {
        summary: 'The sessions of one month, 25 a page',
        value: {
          filters: [
            { field: 'fromDatetime', operator: 'gte', value: '2026-11-01T00:00:00Z' },
            { field: 'fromDatetime', operator: 'lt', value: '2026-12-01T00:00:00Z' },
          ],
          pagination: { pageNumber: 0, pageSize: 25 },
        },
      },
      running: {
        summary: 'What charges now',
        value: { filters: [{ field: 'toDatetime', operator: 'exists', value: false }] },
      },
    },
  },
  responses: {
    200: pageResponse(
      'ChargingHistoryResponse',
      'A page of sessions.',
      ChargingSessionSchema,
      exampleSession,
    ),
  },
  notFound: ['vehicle'],
  async handler({ provider, parameters: { vehicleId }, body }, { db }: Dependencies) {
    const { rows, pagination } = await search<ChargingRow>(
      db,
      sessions,
      {
        conditions: ['s.provider = $1', 's.vehicle_id = $2', 'not s.superseded'],
        values: [provider.id, vehicleId],
      },
      { ...body, page: pageOf(body) },
      invalidBody,
    );
    if (pagination.totalEntries === 0) await requireVehicle(db, provider, vehicleId);
    return { status: 200, body: { items: rows.map(sessionOf), pagination } };
  },
});

const sessions: Searchable = {
  fields: chargingFields,
  columns: chargingColumns,
  from: 'charging_sessions s',
  defaultOrder: ['s.from_time desc'],
  id: 's.id',
};
