export { demoReadings } from './demo/readings.ts';
export { createPartitions } from './maintain-partitions.ts';
export { setReplanOdometers } from './replan-odometer.ts';
export { readStatuses } from './status-store.ts';
export { setWatched } from './watched-vehicles.ts';
