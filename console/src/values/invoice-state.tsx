import type { Invoice } from '@motorpool/client';
import type { IconName } from '../icons/icon.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import { StateBadge, type StateTone } from './state-badge.tsx';

export const invoiceLooks: Record<Invoice['status'], { tone: StateTone; icon: IconName }> = {
  draft: { tone: 'neutral', icon: 'pencil' },
  open: { tone: 'info', icon: 'receipt-text' },
  approved: { tone: 'good', icon: 'check' },
  disputed: { tone: 'warning', icon: 'flag' },
  paid: { tone: 'good', icon: 'circle-check' },
  cancelled: { tone: 'neutral', icon: 'ban' },
};

export function InvoiceState({ status }: { status: Invoice['status'] }) {
  const { invoiceStates } = useTexts();
  return <StateBadge {...invoiceLooks[status]} text={invoiceStates[status]} />;
}
