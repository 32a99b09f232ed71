import Type from 'typebox';
import type { Queryable } from '../../platform/db/database.ts';
import type { Lookup } from '../../platform/db/lookup-batcher.ts';
import { operation } from '../../platform/http/operation.ts';
import { pageOfText, pageResponse } from '../../platform/search/page.ts';
import { type ParsedSearch, parseSearch } from '../../platform/search/parse-search.ts';
import { searchProperties } from '../../platform/search/request-schema.ts';
import { type SearchSql, searchSql } from '../../platform/search/search-sql.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import { chargingFields, chargingItem } from './charging-fields.ts';
import { ChargingSessionSchema, exampleSession } from './charging-session.ts';

const ChargingHistorySchema = Type.Object(searchProperties(chargingFields), {
  $id: 'ChargingHistoryRequest',
  additionalProperties: false,
});

export const chargingHistory = operation({
  id: 'chargingHistory',
  method: 'POST',
  path: '/{vehicleId}/charging',
  tag: 'Vehicles',
  role: 'viewer',
  origin: 'interface',
  summary: 'Charging history of a vehicle',
  description:
    'Returns the charging sessions of the vehicle that match all filters, in pages; without a body, the newest 100. Sessions ' +
    'are detected in the telemetry of the vehicle, or recorded by a client; where both overlap, the record is returned. ' +
    'A session that runs has no toDatetime and no toSoC. One ends when charging ends, and when the vehicle is seen elsewhere; an ' +
    'interruption that is shorter than the gap of the service does not end it. `sorting` is Motorpool’s own: without it the newest comes first. ' +
    'Besides the fields of the answer, `energyBasis`, `source` and `updatedAt` of a session can be filtered and sorted by.',
  parameters: vehicleIdParameter,
  body: {
    schema: ChargingHistorySchema,
    required: false,
    parse: (body) => parseSearch(sessions, body),
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
  workload: 'search',
  async handler({ provider, parameters: { vehicleId }, body: request }, { db }: Dependencies) {
    const { items, total } = await findSessions(db, [provider.id, vehicleId], request);
    if (total === 0) await requireVehicle(db, provider, vehicleId);
    return { status: 200, body: pageOfText(items, { ...request.page, totalEntries: total }) };
  },
});

const sessions: Searchable = {
  fields: chargingFields,
  columns: chargingItem,
  from: 'charging_sessions s',
  defaultOrder: ['s.from_time desc'],
  id: 's.id',
};
const conditions = ['s.provider = $1', 's.vehicle_id = $2', 'not s.superseded'];

/** A page of the sessions, as JSON separated by commas, and how many there are on all pages. */
type FoundSessions = { items: string; total: number };

async function findSessions(
  db: Queryable,
  vehicle: readonly string[],
  request: ParsedSearch,
): Promise<FoundSessions> {
  const { filters, sorting, page } = request;
  const limits = [page.pageSize, page.pageNumber];
  const row =
    filters.length + sorting.length === 0
      ? await db.lookup<FoundSessions>(newestSessions, [...vehicle, ...limits])
      : await filteredSessions(db, vehicle, request);
  return row ?? { items: '', total: 0 };
}

const newestSessions: Lookup = {
  text: pageOfSessions(
    searchSql(
      sessions,
      { conditions, values: [] },
      { text: '', mode: 'literal', filters: [], sorting: [] },
    ),
    '$3',
    '$4',
  ),
  parameters: ['text', 'text', 'bigint', 'bigint'],
};

async function filteredSessions(
  db: Queryable,
  vehicle: readonly string[],
  request: ParsedSearch,
): Promise<FoundSessions | undefined> {
  const sql = searchSql(sessions, { conditions, values: vehicle }, request);
  const { pageSize, pageNumber } = request.page;
  const text = pageOfSessions(sql, sql.bind(pageSize), sql.bind(pageNumber));
  const [row] = await db.queryUnprepared<FoundSessions>(text, sql.values);
  return row;
}

/** One statement, so that the count and the page are of the same moment. */
function pageOfSessions({ found, order }: SearchSql, size: string, number: string): string {
  return `
    select (select count(*) from ${found}) as total, coalesce(string_agg(item, ','), '') as items
    from (
      select ${sessions.columns} as item from ${found} order by ${order}
      limit ${size}::bigint offset ${number}::bigint * ${size}::bigint
    ) page`;
}
