import type { Module } from '../module.ts';
import { addDriver } from './add-driver.ts';
import { drivenVehicles } from './customer-data.ts';
import { seedDrivers } from './demo/seed-drivers.ts';
import { driverEvents } from './driver-events.ts';
import { findAssignments } from './find-assignments.ts';
import { findDrivers, listDrivers } from './list-drivers.ts';
import { removeDriver } from './remove-driver.ts';

export const drivers: Module = {
  name: 'drivers',
  tag: { name: 'Drivers', description: 'Who may drive a vehicle, and who did when.' },
  operations: [addDriver, listDrivers, findDrivers, removeDriver, findAssignments],
  recordEvents: [driverEvents],
  customerData: drivenVehicles,
  demo: seedDrivers,
};
