import type { Module } from '../module.ts';
import { storeDeferredMessages } from './boxes/store-deferred-messages.ts';
import { databoxEvents } from './databox-events.ts';
import { deleteDatabox } from './delete-databox.ts';
import { deleteHistory } from './delete-history.ts';
import { seedTelemetry } from './demo/seed-telemetry.ts';
import { eraseExpiredPositions } from './erase-expired-positions.ts';
import { eraseDrivenPositions, erasePositions } from './erase-positions.ts';
import { getDatabox } from './get-databox.ts';
import { getVehicleHistory } from './get-vehicle-history.ts';
import { getVehicleStatus } from './get-vehicle-status.ts';
import { getVehicleTyres } from './get-vehicle-tyres.ts';
import { enqueueJudging, judgeLater } from './judge-later.ts';
import { findDataboxes, listDataboxes } from './list-databoxes.ts';
import { createPartitions, maintainPartitions } from './maintain-partitions.ts';
import { putDatabox } from './put-databox.ts';
import { putVehicleStatus } from './put-vehicle-status.ts';
import { sendDataboxMessages } from './send-databox-messages.ts';

export const telemetry: Module = {
  name: 'telemetry',
  tag: {
    name: 'Databox',
    description: 'What vehicles report: messages, the boxes that send them, and the history.',
  },
  operations: [
    putVehicleStatus,
    getVehicleStatus,
    sendDataboxMessages,
    getVehicleHistory,
    getVehicleTyres,
    listDataboxes,
    findDataboxes,
    putDatabox,
    getDatabox,
    deleteDatabox,
  ],
  recordEvents: [databoxEvents],
  jobs: [maintainPartitions, eraseExpiredPositions, storeDeferredMessages, judgeLater],
  on: {
    positionTrackingDisabled: erasePositions,
    driverErased: eraseDrivenPositions,
    vehiclesDeleted: deleteHistory,
    judgingDeferred: enqueueJudging,
  },
  start: ({ owner, clock, settings }) => createPartitions(owner, settings.historyDays, clock.now()),
  demo: seedTelemetry,
};
