import Type, { type Static } from 'typebox';
import { exampleVehicle, maxVehicleIdLength } from '../vehicles/public.ts';
import { exampleIncident, IncidentSchema } from './incident.ts';
import { type IncidentRow, incidentOf } from './incident-fields.ts';

const vehicleId = Type.String({
  maxLength: maxVehicleIdLength,
  description: 'The vehicle that it happened to; a field of Motorpool’s own.',
  examples: [exampleVehicle.asset.id],
});

export const vehicleIncidentProperties = { vehicleId, ...IncidentSchema.properties };

/** An incident among those of other vehicles. */
export const FleetIncidentSchema = Type.Object(
  {
    vehicleId,
    licensePlate: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The plate that the vehicle has now; a field of Motorpool’s own.',
        examples: [exampleVehicle.information.licensePlate],
      }),
    ),
    ...IncidentSchema.properties,
  },
  { $id: 'FleetIncident', additionalProperties: false },
);

export const exampleVehicleIncident = { vehicleId: exampleVehicle.asset.id, ...exampleIncident };

const { licensePlate: examplePlate } = exampleVehicle.information;

export const exampleFleetIncident: Static<typeof FleetIncidentSchema> = {
  vehicleId: exampleVehicle.asset.id,
  ...(examplePlate !== undefined && { licensePlate: examplePlate }),
  ...exampleIncident,
};

/** Without its files. */
export function vehicleIncidentOf(row: IncidentRow) {
  return { vehicleId: row.vehicle_id, ...incidentOf(row) };
}

export type FleetIncidentRow = IncidentRow & { license_plate: string | null };

/** Without its files. */
export function fleetIncidentOf(row: FleetIncidentRow) {
  return {
    vehicleId: row.vehicle_id,
    ...(row.license_plate !== null && { licensePlate: row.license_plate }),
    ...incidentOf(row),
  };
}
