export { demoIncidents } from './demo/incidents.ts';
export type { Incident } from './incident.ts';
