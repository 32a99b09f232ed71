export { consumeBoxMessages } from './boxes/consume-box-messages.ts';
export { fills, tankLevelAt, timeAt } from './demo/fills.ts';
export { pluggedTimes } from './demo/plugged-times.ts';
export { chargeLevelAt, demoReadings } from './demo/readings.ts';
export { distanceDriven } from './distance-sql.ts';
export {
  findContradictions,
  type ImportedOdometer,
  ingestContradictions,
} from './imported-odometers.ts';
export { createPartitions } from './maintain-partitions.ts';
export { futureIssue } from './message.ts';
export { odometerAt } from './odometer-at.ts';
export { setReplanOdometers } from './replan-odometer.ts';
export { statusFeedOf } from './status-feed.ts';
export { readStatuses } from './status-store.ts';
export { setWatched } from './watched-vehicles.ts';
