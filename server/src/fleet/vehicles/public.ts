export { exampleVehicle } from './example-vehicle.ts';
export { lockVehicles } from './lock-vehicles.ts';
export {
  StatusSchema,
  type Vehicle,
  type VehicleLine,
  VehicleLineSchema,
  vehicleIdIssue,
} from './vehicle.ts';
export {
  timeColumnOf,
  type VehicleRow,
  vehicleColumns,
  vehicleTables,
  vehicleValueFields,
} from './vehicle-fields.ts';
export { listOfVehicle } from './vehicle-list.ts';
export { requireVehicle, vehicleIdParameter } from './vehicle-scope.ts';
export { readVehicle, writeVehicle, writeVehicles } from './vehicle-store.ts';
