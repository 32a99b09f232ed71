import Type from 'typebox';
import type { Queryable } from '../../platform/db/database.ts';
import { operation, type ProviderRef } from '../../platform/http/operation.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import { parseSearch } from '../../platform/search/parse-search.ts';
import { searchProperties } from '../../platform/search/request-schema.ts';
import { type Found, search } from '../../platform/search/search.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import type { Dependencies } from '../dependencies.ts';
import { customerColumns } from './customer.ts';
import { exampleUser, type UserRow, UserSchema, userFields, userOf, userParts } from './user.ts';

const FindUsersSchema = Type.Object(searchProperties(userFields), {
  $id: 'FindUsersRequest',
  additionalProperties: false,
});

export const findUsers = operation({
  id: 'findUsers',
  method: 'POST',
  path: '/users',
  tag: 'Users',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Find who drives what',
  description:
    'Returns the customers who drive at least one vehicle of the asset provider and match all filters, each with all ' +
    'the vehicles they drive, sorted and in pages. A filter on a field of vehicles asks whether any of them fits. ' +
    'Without a body it returns the first 100 by country code, provider code and id of the customer.',
  parameters: {},
  body: {
    schema: FindUsersSchema,
    required: false,
    parse: (body) => parseSearch(users, body),
    examples: {
      drivers: {
        summary: 'Who drives a vehicle, the busiest drivers first',
        value: {
          filters: [{ field: 'vehicles.vehicleId', value: 'DE*ABC*V0001' }],
          sorting: [{ field: 'vehicleCount', direction: 'desc' }],
          pagination: { pageNumber: 0, pageSize: 25 },
        },
      },
      customer: {
        summary: 'What a customer drives',
        value: { filters: [{ field: 'customerId', value: exampleUser.customerId }] },
      },
    },
  },
  responses: {
    200: pageResponse('FindUsersResponse', 'A page of users.', UserSchema, exampleUser),
  },
  notFound: [],
  workload: 'search',
  async handler({ provider, body: request }, { db }: Dependencies) {
    const scope = { conditions: ['u.provider = $1'], values: [provider.id] };
    return db.transaction(async (tx) => {
      const found = await search<UserRow>(tx, users, scope, request);
      const vehicles = await vehiclesOf(tx, provider, found);
      const items = found.rows.map((row, index) => userOf(row, vehicles[index] ?? []));
      return { status: 200, body: pageBody(items, found, { partsOf: userParts }) };
    }, 'read only');
  },
});

async function vehiclesOf(
  db: Queryable,
  provider: ProviderRef,
  { rows: users, budget }: Found<UserRow>,
) {
  const vehicles = users.map((): { vehicleId: string; addedAt: string }[] => []);
  const rows = await db.query<{ user: number; vehicle_id: string; added_at: string }>(
    selectDrivenVehicles,
    [
      provider.id,
      users.map(({ customer_country_code }) => customer_country_code),
      users.map(({ customer_provider_code }) => customer_provider_code),
      users.map(({ customer_id }) => customer_id),
    ],
    budget,
  );
  for (const { user, vehicle_id, added_at } of rows) {
    vehicles[user - 1]?.push({ vehicleId: vehicle_id, addedAt: added_at });
  }
  return vehicles;
}

const users: Searchable = {
  fields: userFields,
  columns: `${customerColumns('u')}, u.first_added_at, u.updated_at, u.vehicle_count`,
  from: `(
    select provider, customer_country_code, customer_provider_code, customer_id,
      min(added_at) as first_added_at, max(added_at) as updated_at, count(*) as vehicle_count
    from drivers group by provider, customer_country_code, customer_provider_code, customer_id
  ) u`,
  id: 'u.customer_country_code, u.customer_provider_code, u.customer_id',
};

const selectDrivenVehicles = `
  select u."user", d.vehicle_id, d.added_at
  from unnest($2::text[], $3::text[], $4::uuid[])
    with ordinality u (country_code, provider_code, id, "user")
  join drivers d on d.provider = $1 and d.customer_country_code = u.country_code
    and d.customer_provider_code = u.provider_code and d.customer_id = u.id
  order by d.added_at, d.vehicle_id`;
