import type { PropertySchema } from '../../platform/search/schema-field.ts';
import { type Vehicle, VehicleSchema } from './vehicle.ts';

type WithExamples = PropertySchema & { examples?: unknown[] };

/** The examples of those properties that have one. */
function exampleOf({ properties, examples }: WithExamples): unknown {
  if (!properties) return examples?.[0];
  const values = Object.entries(properties).map(([name, property]) => [name, exampleOf(property)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The vehicle of the documentation. */
export const exampleVehicle = exampleOf(VehicleSchema as WithExamples) as Vehicle;
