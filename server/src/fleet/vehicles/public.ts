export { type ClearedCounts, countCleared } from './cleared-values.ts';
export { heldOffDeletion } from './deletion-lock.ts';
export { along, type City, citiesOf, type Street } from './demo/cities.ts';
export { duskOn, isDark } from './demo/daylight.ts';
export {
  type DemoVehicle,
  demoVehicles,
  drawDemoVehicles,
  type OfVehicle,
} from './demo/demo-vehicle.ts';
export { type Electric, plugInKwhPerKm, wallboxKw } from './demo/electric.ts';
export { burnsDiesel, engineOf } from './demo/engines.ts';
export { roadHours } from './demo/mileage.ts';
export { findModel, type Model } from './demo/models.ts';
export { treadAt, tyreChanges, tyresAt } from './demo/tyre-changes.ts';
export { isWorkday, workdayFrom, workdayUntil } from './demo/workdays.ts';
export { bodyTypeOf } from './drawings/body-type.ts';
export { drawingParts, type Paint } from './drawings/drawing.ts';
export { exampleVehicle } from './example-vehicle.ts';
export { vehicleSearchIssues, vehicleSearchProperties } from './find-vehicles.ts';
export {
  idsHash,
  lockSelectedVehicles,
  lockStatusRows,
  lockVehicleRows,
  lockVehicles,
  lockWrittenVehicles,
} from './lock-vehicles.ts';
export { plausibilityOf, withoutBounds } from './signal-bounds.ts';
export { updateAssets } from './update-assets.ts';
export {
  maxVehicleIdLength,
  StatusSchema,
  type Vehicle,
  VehicleSchema,
  vehicleIdIssue,
} from './vehicle.ts';
export {
  timeColumnOf,
  type VehicleRow,
  vehicleColumns,
  vehicleTables,
  vehicleValueFields,
} from './vehicle-fields.ts';
export { statusItem } from './vehicle-item.ts';
export { type VehicleLine, VehicleLineSchema } from './vehicle-line.ts';
export { listOfVehicle } from './vehicle-list.ts';
export {
  changedMeanwhile,
  etagHeader,
  ifMatchHeader,
  requireVehicle,
  vehicleIdParameter,
} from './vehicle-scope.ts';
export { readVehicle, writeVehicle, writeVehicles } from './vehicle-store.ts';
export {
  findSharedVins,
  requireUniqueVins,
  type SharedVin,
  SharedVins,
  sharedVinText,
  vinTaken,
} from './vin-uniqueness.ts';
export { writtenImage } from './written-image.ts';
