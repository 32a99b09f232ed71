import type { Module } from '../module.ts';
import { deleteVehicle } from './delete-vehicle.ts';
import { seedVehicles } from './demo/seed-vehicles.ts';
import { defaultImages } from './drawings/default-image.ts';
import { findVehicles } from './find-vehicles.ts';
import { getVehicle } from './get-vehicle.ts';
import { putVehicle } from './put-vehicle.ts';
import { vehicleEvents } from './vehicle-events.ts';

export const vehicles: Module = {
  name: 'vehicles',
  tag: { name: 'Vehicles', description: 'The vehicles of an asset provider.' },
  operations: [findVehicles, getVehicle, putVehicle, deleteVehicle],
  recordEvents: [vehicleEvents],
  publicFiles: defaultImages,
  demo: seedVehicles,
};
