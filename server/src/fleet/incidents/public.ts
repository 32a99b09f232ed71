export { demoIncidents } from './demo/incidents.ts';
export { repairEuros } from './demo/papers.ts';
export type { Incident } from './incident.ts';
