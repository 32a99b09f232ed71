export { refreshFleet } from './refresh-fleet.ts';
