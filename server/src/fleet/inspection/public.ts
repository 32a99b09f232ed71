export { inspectionFacts } from './demo/inspection-facts.ts';
