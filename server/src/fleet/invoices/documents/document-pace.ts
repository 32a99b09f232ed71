import { createPace } from '../../../platform/pace.ts';

/** Of all electronic invoices that are being read: the largest take seconds. */
export const documentPace = createPace();
