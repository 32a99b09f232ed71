export { logbooks } from './demo/logbook.ts';
