export { eraseEvents } from './erase-events.ts';
