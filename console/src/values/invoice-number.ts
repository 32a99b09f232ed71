import type { Invoice } from '@motorpool/client';
import type { Texts } from '../texts/texts.ts';

/** A credit note is told as one: its amounts are positive, like those of an invoice. Undefined of an invoice without a number. */
export function invoiceNumberOf(
  { type, number }: Pick<Invoice, 'type' | 'number'>,
  { types }: Pick<Texts['invoices'], 'types'>,
): string | undefined {
  const parts = [type === 'credit_note' && types.credit_note, number];
  return parts.filter(Boolean).join(' · ') || undefined;
}
