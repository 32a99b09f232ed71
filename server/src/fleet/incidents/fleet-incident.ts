import Type, { type Static } from 'typebox';
import { exampleVehicle, maxVehicleIdLength } from '../vehicles/public.ts';
import { exampleIncident, IncidentSchema } from './incident.ts';
import { type IncidentRow, incidentOf } from './incident-fields.ts';

/** An incident among those of other vehicles. */
export const FleetIncidentSchema = Type.Object(
  {
    vehicleId: Type.String({
      maxLength: maxVehicleIdLength,
      description: 'The vehicle that it happened to; a field of Motorpool’s own.',
      examples: [exampleVehicle.asset.id],
    }),
    ...IncidentSchema.properties,
  },
  { $id: 'FleetIncident', additionalProperties: false },
);

export const exampleFleetIncident: Static<typeof FleetIncidentSchema> = {
  vehicleId: exampleVehicle.asset.id,
  ...exampleIncident,
};

/** Without its files. */
export function fleetIncidentOf(row: IncidentRow) {
  return { vehicleId: row.vehicle_id, ...incidentOf(row) };
}
