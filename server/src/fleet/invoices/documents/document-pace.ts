import { longWork } from '../../../platform/pace.ts';

/** Of all electronic invoices that are being read, which are few at a time: the largest take seconds. */
export const documentPace = { begin: () => longWork.begin('documents') };
