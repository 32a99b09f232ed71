import type { Module } from '../module.ts';
import { chargingEvents } from './charging-events.ts';
import { chargingHistory } from './charging-history.ts';
import { closeSilentCharging } from './close-silent-charging.ts';
import { deleteChargingSession } from './delete-charging-session.ts';
import { seedCharging } from './demo/seed-charging.ts';
import { detectSessions } from './detect-sessions.ts';
import { eraseDrivenPositions, erasePositions } from './erase-positions.ts';
import { findChargingTotals } from './find-charging-totals.ts';
import { getChargingSession } from './get-charging-session.ts';
import { putChargingSession } from './put-charging-session.ts';
import { enqueueRedetections, redetectSessions } from './redetect-sessions.ts';

export const charging: Module = {
  name: 'charging',
  operations: [
    chargingHistory,
    findChargingTotals,
    getChargingSession,
    putChargingSession,
    deleteChargingSession,
  ],
  recordEvents: [chargingEvents],
  jobs: [closeSilentCharging, redetectSessions],
  on: {
    readingsMerged: detectSessions,
    positionTrackingDisabled: erasePositions,
    driverErased: eraseDrivenPositions,
  },
  start: async ({ db, jobs }, { runsJobs }) => {
    if (runsJobs) await db.transaction((tx) => enqueueRedetections(tx, jobs));
  },
  demo: seedCharging,
};
