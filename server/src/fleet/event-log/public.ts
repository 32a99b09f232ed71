export { sourceOf, typesOf } from './cloud-event.ts';
export { eraseEvents } from './erase-events.ts';
export { numberedEvents, type RenderEvents } from './read-numbered.ts';
