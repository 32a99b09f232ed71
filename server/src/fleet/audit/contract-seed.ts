import type { ContractSeed } from '../../testing/contract/seed.ts';

/** The changes of the other seeds are its records. */
export const seed: ContractSeed = {
  create: async () => ({}),
  requests: {
    findAuditEvents: [
      { body: { filters: [{ field: 'type', value: 'incident' }] } },
      { body: { sorting: [{ field: 'recordId' }], pagination: { pageSize: 3 } } },
    ],
  },
};
