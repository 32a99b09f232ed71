import type { ContractSeed } from '../../testing/contract/seed.ts';
import { exampleRequest } from './invoice-examples.ts';

/** Recognised as a picture by its first bytes alone. */
const receipt = (text: string) => Buffer.from(`\x89PNG\r\n\x1a\n${text}`, 'latin1');

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ values: { vehicleId }, id, call }) {
    const lines = exampleRequest.lines.map((line) => ({ ...line, vehicleId }));
    const record = (number: string, status: string) =>
      call('POST', '/invoices', { ...exampleRequest, number: id(number), status, lines });
    await record('R-2026-1041', 'approved');
    // A draft can also be deleted.
    const { id: invoiceId } = await record('R-2026-1042', 'draft');
    const { id: draftId } = await call('POST', '/invoices/documents', receipt(id('receipt')));
    return { invoiceId, draftId };
  },
  requests: { getInvoiceOcr: [{ values: { invoiceId: '{draftId}' } }] },
};
