import type { Operation } from '../platform/http/operation.ts';
import { chargingOperations } from './charging/index.ts';
import { checklistOperations } from './checklist/index.ts';
import type { Dependencies } from './dependencies.ts';
import { driverOperations } from './drivers/index.ts';
import { fileOperations } from './files/index.ts';
import { incidentOperations } from './incidents/index.ts';
import { inspectionOperations } from './inspection/index.ts';
import { logbookOperations } from './logbook/index.ts';
import { maintenanceOperations } from './maintenance/index.ts';
import { databoxOperations } from './telemetry/index.ts';
import { userOperations } from './users/index.ts';
import { vehicleOperations } from './vehicles/index.ts';

/** Every operation of the fleet interface, in the order of the documentation. */
export const operations: readonly Operation<Dependencies>[] = [
  ...vehicleOperations,
  ...chargingOperations,
  ...databoxOperations,
  ...driverOperations,
  ...userOperations,
  ...maintenanceOperations,
  ...logbookOperations,
  ...checklistOperations,
  ...inspectionOperations,
  ...incidentOperations,
  ...fileOperations,
];
