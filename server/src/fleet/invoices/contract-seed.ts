import type { ContractSeed } from '../../testing/contract/seed.ts';
import { exampleRequest } from './invoice-examples.ts';

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ values: { vehicleId }, id, call }) {
    const lines = exampleRequest.lines.map((line) => ({ ...line, vehicleId }));
    const { id: invoiceId } = await call('POST', '/invoices', {
      ...exampleRequest,
      number: id('R-2026-1042'),
      lines,
    });
    return { invoiceId };
  },
};
