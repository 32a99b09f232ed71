import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import { parseSearch } from '../../platform/search/parse-search.ts';
import { searchProperties } from '../../platform/search/request-schema.ts';
import { search } from '../../platform/search/search.ts';
import { toMilliseconds } from '../../platform/time/instant.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import {
  type AssignmentRow,
  AssignmentSchema,
  assignmentOf,
  assignments,
  exampleAssignment,
} from './assignment.ts';

const FindAssignmentsSchema = Type.Object(
  {
    at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Keeps the assignments that were open at this moment.',
        examples: ['2026-11-14T17:20:00Z'],
      }),
    ),
    ...searchProperties(assignments.fields),
  },
  { $id: 'FindAssignmentsRequest', additionalProperties: false },
);

export const findAssignments = operation({
  id: 'findAssignments',
  method: 'POST',
  path: '/{vehicleId}/assignments',
  tag: 'Drivers',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Find who drove a vehicle, and when',
  description:
    'Returns the periods in which customers were drivers of the vehicle that match all filters, in pages; who was added ' +
    'last comes first unless another order is asked for. Adding a driver opens one, and removing the driver closes it. ' +
    '`at` keeps those who were drivers at a moment, such as that of a fine or a damage. An assignment whose customer was ' +
    'erased has no customer. `updatedAt`, when the customer was added or removed last, can be filtered and sorted by as well.',
  parameters: vehicleIdParameter,
  body: {
    schema: FindAssignmentsSchema,
    required: false,
    parse: ({ at, ...body }) => {
      const parsed = parseSearch(assignments, body);
      return 'issues' in parsed ? parsed : { value: { ...parsed.value, at } };
    },
    examples: {
      moment: { summary: 'Who drove at a moment', value: { at: '2026-11-14T17:20:00Z' } },
      month: {
        summary: 'Who was added in a month, oldest first',
        value: {
          filters: [
            { field: 'addedAt', operator: 'gte', value: '2026-10-01T00:00:00Z' },
            { field: 'addedAt', operator: 'lt', value: '2026-11-01T00:00:00Z' },
          ],
          sorting: [{ field: 'addedAt' }],
          pagination: { pageNumber: 0, pageSize: 25 },
        },
      },
    },
  },
  responses: {
    200: pageResponse(
      'FindAssignmentsResponse',
      'A page of assignments.',
      AssignmentSchema,
      exampleAssignment,
    ),
  },
  notFound: ['vehicle'],
  workload: 'search',
  async handler({ provider, parameters: { vehicleId }, body }, { db }: Dependencies) {
    const { at, ...request } = body;
    const scope = {
      conditions: ['a.provider = $1', 'a.vehicle_id = $2'],
      values: [provider.id, vehicleId],
    };
    if (at !== undefined) {
      scope.conditions.push('a.added_at <= $3', '(a.removed_at is null or a.removed_at > $3)');
      scope.values.push(toMilliseconds(at));
    }
    const found = await search<AssignmentRow>(db, assignments, scope, request);
    if (found.pagination.totalEntries === 0) await requireVehicle(db, provider, vehicleId);
    return { status: 200, body: pageBody(found.rows.map(assignmentOf), found) };
  },
});
