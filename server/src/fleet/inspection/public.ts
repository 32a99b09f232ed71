export { inspectionFacts } from './demo/inspection-facts.ts';
export { type InspectionRequest, InspectionRequestSchema, inspectionIssues } from './inspection.ts';
export { inspectionFactFields, writeInspectionFacts } from './write-facts.ts';
