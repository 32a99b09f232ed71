import type { Queryable } from '../../platform/db/database.ts';
import type { InvoiceStatus } from './invoice-status.ts';

/** As who overwrites it, before what belongs to it; returns its status, if there is such an invoice. */
export async function lockInvoice(
  tx: Queryable,
  provider: string,
  id: string,
): Promise<InvoiceStatus | undefined> {
  const [row] = await tx.query<{ status: InvoiceStatus }>(selectStatus, [provider, id]);
  return row?.status;
}

const selectStatus =
  'select status from invoices where provider = $1 and id = $2 for no key update';
