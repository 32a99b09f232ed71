import { exampleVehicle } from './example-vehicle.ts';

/** The path parameter of every operation on one vehicle. */
export const vehicleIdParameter = {
  vehicleId: {
    description: "The vehicle's id. Asterisks may stand as they are or as %2A.",
    example: exampleVehicle.asset.id,
  },
};
