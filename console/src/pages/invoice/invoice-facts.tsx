import type { Invoice } from '@motorpool/client';
import { Panel } from '../../layout/panel.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { Age } from '../../values/age.tsx';
import { CopyableId } from '../../values/copyable-id.tsx';
import classes from './invoice-page.module.css';

/** Who sent it, when, and what is noted. */
export function InvoiceFacts({ invoice }: { invoice: Invoice }) {
  const { invoice: texts, invoices } = useTexts();
  const formats = useFormats();
  const { supplier, number, issueDate, dueDate, serviceDate } = invoice;
  const { street, postalCode, city, countryCode } = supplier?.address ?? {};
  const address = [street, [postalCode, city].filter(Boolean).join(' '), countryCode];
  const rows = [
    [texts.supplier, supplier?.name],
    [texts.vatId, supplier?.vatId && <CopyableId key="vat" id={supplier.vatId} />],
    [texts.address, address.filter(Boolean).join(', ')],
    [invoices.fields.number, number && <CopyableId key="number" id={number} />],
    [invoices.fields.type, invoices.types[invoice.type]],
    [invoices.fields.issueDate, issueDate && formats.date(issueDate)],
    [invoices.fields.dueDate, dueDate && formats.date(dueDate)],
    [texts.serviceDate, serviceDate && formats.date(serviceDate)],
    [invoices.fields.customerReference, invoice.customerReference],
    [texts.orderReference, invoice.orderReference],
    [texts.recorded, <Age key="recorded" at={invoice.createdAt} />],
  ] as const;
  return (
    <Panel title={texts.facts}>
      <dl className={classes.facts}>
        {rows
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {invoice.note && (
        <p className={classes.note}>
          <b>{texts.note}</b>
          <br />
          {invoice.note}
        </p>
      )}
    </Panel>
  );
}
