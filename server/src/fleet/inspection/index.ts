import type { Module } from '../module.ts';
import { seedInspections } from './demo/seed-inspections.ts';
import {
  enqueueEstimates,
  estimateFleet,
  estimateInspection,
  estimateOutdated,
  reestimateFleet,
} from './estimate-jobs.ts';
import { getInspection } from './get-inspection.ts';
import { inspectionEvents } from './inspection-events.ts';
import { putInspection } from './put-inspection.ts';
import { recordPassedInspection } from './record-passed-inspection.ts';
import { retriggerInspectionEstimation } from './retrigger-inspection-estimation.ts';

export const inspection: Module = {
  name: 'inspection',
  tag: {
    name: 'Inspection',
    description: 'When a vehicle has to pass its periodic inspection, and why then.',
  },
  operations: [retriggerInspectionEstimation, getInspection, putInspection],
  recordEvents: [inspectionEvents],
  jobs: [estimateInspection, estimateFleet, estimateOutdated],
  on: {
    profileChanged: reestimateFleet,
    vehiclesChanged: enqueueEstimates,
    maintenanceCompleted: recordPassedInspection,
  },
  start: async ({ db, jobs }, { runsJobs }) => {
    if (runsJobs) await db.transaction((tx) => jobs.add(tx, estimateOutdated, {}));
  },
  demo: seedInspections,
};
