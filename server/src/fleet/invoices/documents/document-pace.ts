import { longWork } from '../../../platform/pace.ts';

let works = 0;

/** Of electronic invoices that are being read: the largest take seconds. Each has turns of its own, as a provider has few at a time. */
export const documentPace = {
  begin: () => {
    works += 1;
    return longWork.begin(`document ${works}`);
  },
};
