import Type, { type Static } from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import type { ValidationIssue } from '../../platform/http/problem.ts';
import { pageOfText, pageResponse } from '../../platform/search/page.ts';
import { parseSearch } from '../../platform/search/parse-search.ts';
import {
  searchModeProperty,
  searchProperties,
  searchTextProperty,
} from '../../platform/search/request-schema.ts';
import type { Dependencies } from '../dependencies.ts';
import { exampleVehicle } from './example-vehicle.ts';
import { searchableVehicles } from './search/search-and-count.ts';
import { searchVehicles } from './search-vehicles.ts';
import { VehicleSchema } from './vehicle.ts';
import { vehicleSearchFields } from './vehicle-fields.ts';

/** What a search of vehicles may filter and sort by. */
export const vehicleSearchProperties = searchProperties(vehicleSearchFields, true);

const FindVehiclesSchema = Type.Object(
  {
    searchText: searchTextProperty(
      'Restricts the result to vehicles whose vin, licensePlate, vendor, model or variant includes the text, without regard to ' +
        'case and to the Unicode normal form.',
      'golf',
    ),
    searchMode: searchModeProperty(
      'How searchText, and the value of a filter without a field, is looked for. `literal`: as a whole, in one field. ' +
        '`words`: every word of it in some field, without regard to case and diacritics, and to spaces and hyphens in plates ' +
        'and VINs: `skoda octavia` finds a Škoda Octavia, `MAB123` the plate M-AB 123.',
    ),
    ...vehicleSearchProperties,
  },
  { $id: 'FindVehiclesRequest', additionalProperties: false },
);

type VehicleSearch = Static<typeof FindVehiclesSchema>;

/** What is wrong with a search beyond its schema. */
export function vehicleSearchIssues(search: VehicleSearch): readonly ValidationIssue[] {
  const parsed = parseSearch(searchableVehicles, search);
  return 'issues' in parsed ? parsed.issues : [];
}

export const findVehicles = operation({
  id: 'findVehicles',
  method: 'POST',
  path: '/vehicles',
  tag: 'Vehicles',
  role: 'viewer',
  origin: 'interface',
  summary: 'Find vehicles of an asset provider',
  description:
    'Returns the vehicles of the asset provider that match the text and all filters, sorted and in pages. ' +
    'Without a body it returns the first 100 by id. The order is total, so that pages neither repeat nor lose a vehicle. ' +
    'Besides the fields of the response, two can be filtered and sorted by. `updatedAt`: when asset or information was last ' +
    'written. `status.staleSeconds`: the seconds since `lastUpdated`; for a vehicle without any message it is greater than any number.',
  parameters: {},
  body: {
    schema: FindVehiclesSchema,
    required: false,
    parse: (body) => parseSearch(searchableVehicles, body),
    examples: {
      search: {
        summary: 'Battery vehicles with a low charge, emptiest first',
        value: {
          filters: [
            { field: 'information.evBatteryCapacity', operator: 'exists', value: true },
            { field: 'status.fuelLevel', operator: 'lt', value: 30 },
          ],
          sorting: [
            { field: 'status.fuelLevel' },
            { field: 'information.vendor', direction: 'desc' },
          ],
          pagination: { pageNumber: 0, pageSize: 25 },
        },
      },
      text: { summary: 'By text', value: { searchText: 'golf' } },
      words: {
        summary: 'By words',
        value: { searchText: 'skoda octavia', searchMode: 'words' },
      },
      silent: {
        summary: 'No message for six hours',
        value: { filters: [{ field: 'status.staleSeconds', operator: 'gte', value: 21_600 }] },
      },
    },
  },
  responses: {
    200: pageResponse('FindVehiclesResponse', 'A page of vehicles.', VehicleSchema, exampleVehicle),
  },
  notFound: [],
  workload: 'search',
  async handler({ provider, body: request }, { db, clock }: Dependencies) {
    const { items, total } = await searchVehicles(db, provider, request, clock.now());
    return { status: 200, body: pageOfText(items, { ...request.page, totalEntries: total }) };
  },
});
