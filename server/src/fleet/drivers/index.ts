import { addDriver } from './add-driver.ts';
import { listDrivers } from './list-drivers.ts';
import { removeDriver } from './remove-driver.ts';

export const driverOperations = [addDriver, listDrivers, removeDriver];
