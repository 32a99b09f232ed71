import type { Invoice } from '@motorpool/client';
import { Link } from '@tanstack/react-router';
import classes from '../../table/compact-row.module.css';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { invoiceNumberOf } from '../../values/invoice-number.ts';
import { InvoiceState } from '../../values/invoice-state.tsx';

/** An invoice in two lines. */
export function InvoiceRow({ invoice }: { invoice: Invoice }) {
  const { invoices } = useTexts();
  const formats = useFormats();
  const { id, supplier, issueDate, totals, currency } = invoice;
  return (
    <Link to="/invoices/$invoiceId" params={{ invoiceId: id }} className={classes.row} data-row>
      <strong>{supplier?.name ?? invoices.unnamed}</strong>
      <InvoiceState invoice={invoice} />
      <span className={classes.second}>
        {[invoiceNumberOf(invoice, invoices), issueDate && formats.date(issueDate)]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <span>{formats.exactMoney(totals.payableAmount, currency)}</span>
    </Link>
  );
}
