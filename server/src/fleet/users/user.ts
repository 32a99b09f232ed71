import Type, { type Static } from 'typebox';
import { arrayParts, maxAnswerItems } from '../../platform/http/large-json.ts';
import { fieldsOf } from '../../platform/search/field.ts';
import { exampleVehicle, maxVehicleIdLength } from '../vehicles/public.ts';
import {
  type CustomerRow,
  CustomerSchema,
  customerFields,
  customerOf,
  exampleCustomer,
} from './customer.ts';

const DrivenVehicleSchema = Type.Object(
  {
    vehicleId: Type.String({
      maxLength: maxVehicleIdLength,
      description: 'The id of the vehicle.',
      examples: ['DE*ABC*V0001'],
    }),
    addedAt: Type.String({
      format: 'date-time',
      description: 'When the customer was added to its drivers.',
    }),
  },
  { $id: 'DrivenVehicle', additionalProperties: false },
);
type DrivenVehicle = Static<typeof DrivenVehicleSchema>;

/** A customer who drives at least one vehicle of the asset provider. */
export const UserSchema = Type.Object(
  {
    ...CustomerSchema.properties,
    firstAddedAt: Type.String({
      format: 'date-time',
      description: 'When the customer was added to the first of the vehicles driven today.',
    }),
    updatedAt: Type.String({
      format: 'date-time',
      description: 'When the customer was added to the last of them.',
    }),
    vehicleCount: Type.Integer({ description: 'How many vehicles the customer drives.' }),
    vehicles: Type.Array(DrivenVehicleSchema, {
      maxItems: maxAnswerItems,
      description: 'All of them, in the order of addedAt and then of vehicleId.',
    }),
  },
  { $id: 'User', additionalProperties: false },
);

export const exampleUser: Static<typeof UserSchema> = {
  ...exampleCustomer,
  firstAddedAt: '2026-11-15T08:30:00.000Z',
  updatedAt: '2026-11-15T08:30:00.000Z',
  vehicleCount: 1,
  vehicles: [{ vehicleId: exampleVehicle.asset.id, addedAt: '2026-11-15T08:30:00.000Z' }],
};

export type UserRow = CustomerRow & {
  first_added_at: string;
  updated_at: string;
  vehicle_count: number;
};

export function userOf(row: UserRow, vehicles: DrivenVehicle[]) {
  return {
    ...customerOf(row),
    firstAddedAt: row.first_added_at,
    updatedAt: row.updated_at,
    vehicleCount: row.vehicle_count,
    vehicles,
  };
}

/** As JSON, in parts: one may drive every vehicle of a large fleet. */
export function userParts({ vehicles, ...user }: ReturnType<typeof userOf>): Iterable<string> {
  const before = `${JSON.stringify(user).slice(0, -1)},"vehicles":[`;
  return arrayParts(before, vehicles, (vehicle) => vehicle, ']}');
}

const drivenVehicles = `from drivers d where d.provider = u.provider
  and d.customer_country_code = u.customer_country_code
  and d.customer_provider_code = u.customer_provider_code and d.customer_id = u.customer_id`;

/** All but the fields of vehicles can also be sorted by. */
export const userFields = fieldsOf({
  ...customerFields('', 'u'),
  firstAddedAt: ['date-time', 'u.first_added_at'],
  updatedAt: ['date-time', 'u.updated_at'],
  vehicleCount: ['number', 'u.vehicle_count'],
  'vehicles.vehicleId': ['text', 'd.vehicle_id', { anyOf: drivenVehicles }],
  'vehicles.addedAt': ['date-time', 'd.added_at', { anyOf: drivenVehicles }],
});
