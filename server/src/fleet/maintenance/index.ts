import type { Module } from '../module.ts';
import { completeMaintenance } from './complete-maintenance.ts';
import { createMaintenanceReport } from './create-maintenance-report.ts';
import { createMaintenanceSchedule } from './create-maintenance-schedule.ts';
import { deleteMaintenanceReport } from './delete-maintenance-report.ts';
import { deleteMaintenanceSchedule } from './delete-maintenance-schedule.ts';
import { seedMaintenance } from './demo/seed-maintenance.ts';
import { getMaintenanceReport } from './get-maintenance-report.ts';
import { getMaintenanceSchedule } from './get-maintenance-schedule.ts';
import {
  findMaintenanceSchedules,
  listMaintenanceSchedules,
} from './list-maintenance-schedules.ts';
import { listPlannedMaintenance } from './list-planned-maintenance.ts';
import { findVehicleMaintenance, listVehicleMaintenance } from './list-vehicle-maintenance.ts';
import { reportEvents, scheduleEvents } from './maintenance-events.ts';
import { planFleet } from './plan-fleet.ts';
import { putMaintenanceReport } from './put-maintenance-report.ts';
import { putMaintenanceSchedule } from './put-maintenance-schedule.ts';
import { refreshFleet, refreshNewDates } from './refresh-fleet.ts';
import { planInspections, replanVehicles } from './subscribers.ts';

export const maintenance: Module = {
  name: 'maintenance',
  tag: {
    name: 'Maintenance',
    description: 'What is planned for vehicles, when it is due, and schedules that plan it.',
  },
  operations: [
    listPlannedMaintenance,
    listVehicleMaintenance,
    findVehicleMaintenance,
    createMaintenanceReport,
    getMaintenanceReport,
    putMaintenanceReport,
    deleteMaintenanceReport,
    completeMaintenance,
    listMaintenanceSchedules,
    findMaintenanceSchedules,
    createMaintenanceSchedule,
    getMaintenanceSchedule,
    putMaintenanceSchedule,
    deleteMaintenanceSchedule,
  ],
  recordEvents: [reportEvents, scheduleEvents],
  jobs: [planFleet, refreshFleet, refreshNewDates],
  on: { readingsMerged: replanVehicles, inspectionEstimated: planInspections },
  demo: seedMaintenance,
};
