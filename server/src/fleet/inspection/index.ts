import { getInspection } from './get-inspection.ts';
import { putInspection } from './put-inspection.ts';
import { retriggerInspectionEstimation } from './retrigger-inspection-estimation.ts';

export const inspectionOperations = [retriggerInspectionEstimation, getInspection, putInspection];
