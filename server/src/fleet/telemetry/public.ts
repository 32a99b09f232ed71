export { fills, tankLevelAt, timeAt } from './demo/fills.ts';
export { pluggedTimes } from './demo/plugged-times.ts';
export { chargeLevelAt, demoReadings } from './demo/readings.ts';
export { createPartitions } from './maintain-partitions.ts';
export { setReplanOdometers } from './replan-odometer.ts';
export { setWatched } from './watched-vehicles.ts';
