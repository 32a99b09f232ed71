import Type, { type Static } from 'typebox';
import { withoutBounds } from './signal-bounds.ts';
import { AssetSchema, InformationSchema, StatusSchema, VehicleRequestSchema } from './vehicle.ts';

/** A line of an import: the vehicle and its status. */
export const VehicleLineSchema = Type.Object(
  {
    asset: Type.Object(
      { ...VehicleRequestSchema.properties.asset.properties, id: AssetSchema.properties.id },
      { additionalProperties: false },
    ),
    information: InformationSchema,
    status: Type.Object(withoutBounds(StatusSchema.properties), { additionalProperties: false }),
  },
  { additionalProperties: false },
);
export type VehicleLine = Static<typeof VehicleLineSchema>;
