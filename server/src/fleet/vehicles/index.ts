import { deleteVehicle } from './delete-vehicle.ts';
import { findVehicles } from './find-vehicles.ts';
import { getVehicle } from './get-vehicle.ts';
import { putVehicle } from './put-vehicle.ts';

export const vehicleOperations = [findVehicles, getVehicle, putVehicle, deleteVehicle];
