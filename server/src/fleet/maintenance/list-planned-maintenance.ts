import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { searchLimits } from '../../platform/search/limits.ts';
import { PaginationSchema, pageBodyById } from '../../platform/search/page.ts';
import { parseSearch } from '../../platform/search/parse-search.ts';
import { searchProperties } from '../../platform/search/request-schema.ts';
import { search } from '../../platform/search/search.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import type { Dependencies } from '../dependencies.ts';
import { plan, type ReportRow, reportFields, reportOf } from './maintenance-fields.ts';
import { exampleReport, MaintenanceReportSchema } from './maintenance-report.ts';

const ListPlannedMaintenanceSchema = Type.Object(searchProperties(reportFields, true), {
  $id: 'ListPlannedMaintenanceRequest',
  additionalProperties: false,
});

/** The text is also found in the plate of the vehicle, with or without its spaces and hyphens. */
const fleetPlan: Searchable = {
  ...plan,
  textColumns: [
    ...(plan.textColumns ?? []),
    {
      column: "(v.license_plate || e'\\n' || translate(v.license_plate, ' -', ''))",
      anyOf: 'from vehicles v where v.provider = $1 and v.id = r.vehicle_id',
    },
  ],
};

export const listPlannedMaintenance = operation({
  id: 'listPlannedMaintenance',
  method: 'POST',
  path: '/maintenance',
  tag: 'Maintenance',
  role: 'viewer',
  origin: 'interface',
  summary: 'List planned maintenance reports of an asset provider',
  description:
    'Returns what is planned for all vehicles of the asset provider, in pages: the soonest first, which is the earlier of ' +
    'dueDate and forecastDate, and last what has neither. `items` is an object, report id to report, in that order. Filters ' +
    'and sorting are Motorpool’s own; a filter without a field looks for text in the title, the notes and ' +
    'the plate of the vehicle, with or without its spaces and hyphens.',
  parameters: {},
  body: {
    schema: ListPlannedMaintenanceSchema,
    required: false,
    parse: (body) => parseSearch(fleetPlan, body),
    examples: {
      page: {
        summary: 'The first 25',
        value: { pagination: { pageNumber: 0, pageSize: 25 } },
      },
      overdue: {
        summary: 'What is overdue, by vehicle',
        value: {
          filters: [{ field: 'status', operator: 'eq', value: 'overdue' }],
          sorting: [{ field: 'vehicleId', direction: 'asc' }],
        },
      },
    },
  },
  responses: {
    200: {
      description: 'A page of reports.',
      schema: Type.Object(
        {
          items: Type.Object(
            {},
            {
              additionalProperties: MaintenanceReportSchema,
              maxProperties: searchLimits.pageSize,
              description: 'The reports by their ids, in order.',
            },
          ),
          pagination: PaginationSchema,
        },
        { $id: 'ListPlannedMaintenanceResponse', additionalProperties: false },
      ),
      example: {
        items: { [exampleReport.id]: exampleReport },
        pagination: { pageSize: 25, pageNumber: 0, totalEntries: 1 },
      },
    },
  },
  notFound: [],
  workload: 'search',
  async handler({ provider, body }, { db }: Dependencies) {
    const found = await search<ReportRow>(
      db,
      fleetPlan,
      { conditions: ['r.provider = $1'], values: [provider.id] },
      body,
    );
    return { status: 200, body: pageBodyById(found.rows.map(reportOf), found) };
  },
});
