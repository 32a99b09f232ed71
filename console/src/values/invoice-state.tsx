import type { Invoice } from '@motorpool/client';
import type { IconName } from '../icons/icon.tsx';
import { useLocalization } from '../texts/texts-provider.tsx';
import { invoiceLatenessOf } from './lateness.ts';
import { useNow } from './now.ts';
import { StateBadge, type StateTone } from './state-badge.tsx';

export const invoiceLooks: Record<Invoice['status'], { tone: StateTone; icon: IconName }> = {
  draft: { tone: 'neutral', icon: 'pencil' },
  open: { tone: 'info', icon: 'receipt-text' },
  approved: { tone: 'good', icon: 'check' },
  disputed: { tone: 'warning', icon: 'flag' },
  paid: { tone: 'good', icon: 'circle-check' },
  cancelled: { tone: 'neutral', icon: 'ban' },
};

type Props = { invoice: Pick<Invoice, 'status' | 'type' | 'dueDate'> };

/** The state of an invoice; of one that should have been paid, by how much it is late. */
export function InvoiceState({ invoice }: Props) {
  const words = useLocalization();
  const late = invoiceLatenessOf(invoice, useNow(), words);
  const { status } = invoice;
  if (late) return <StateBadge tone="danger" icon="circle-alert" text={late} />;
  return <StateBadge {...invoiceLooks[status]} text={words.texts.invoiceStates[status]} />;
}

/** The same where there is room for both. */
export function FullInvoiceState({ invoice }: Props) {
  const { invoiceStates } = useLocalization().texts;
  const isLate = invoiceLatenessOf(invoice, useNow(), useLocalization()) !== undefined;
  const { status } = invoice;
  return (
    <>
      <StateBadge {...invoiceLooks[status]} text={invoiceStates[status]} />
      {isLate && <InvoiceState invoice={invoice} />}
    </>
  );
}
