import { Loader } from '@mantine/core';
import { type Invoice, ProblemError } from '@motorpool/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { notifyDone } from '../../feedback/notify.ts';
import { InlineProblem } from '../../feedback/problem.tsx';
import { FileDrop } from '../../files/file-drop.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { InvoiceState } from '../../values/invoice-state.tsx';
import classes from './invoices-page.module.css';

type Dropped = { key: string; name: string; invoice?: Invoice; error?: unknown };

/** Takes electronic invoices and receipts, and tells of each what became of it. */
export function DocumentDrop() {
  const { invoices: texts } = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [dropped, setDropped] = useState<Dropped[]>([]);
  const isReading = dropped.some(({ invoice, error }) => !invoice && !error);
  const read = async (files: File[]) => {
    const waiting = files.map((file) => ({ key: crypto.randomUUID(), name: file.name, file }));
    setDropped(waiting);
    const made: Invoice[] = [];
    for (const { key, file } of waiting) {
      const tell = (result: Partial<Dropped>) =>
        setDropped((all) => all.map((one) => (one.key === key ? { ...one, ...result } : one)));
      try {
        const invoice = await fleet.invoices.createFromDocument(file);
        made.push(invoice);
        tell({ invoice });
      } catch (error) {
        tell({ error });
      }
    }
    await queries.invalidateQueries({ queryKey: queryKey('invoice') });
    const [invoice] = made;
    if (files.length !== 1 || !invoice) return;
    notifyDone(invoice.status === 'draft' ? texts.receiptTaken : texts.read);
    void navigate({ to: '/invoices/$invoiceId', params: { invoiceId: invoice.id } });
  };
  return (
    <div className={classes.drop}>
      <FileDrop
        isMultiple
        text={texts.drop}
        choose={texts.choose}
        accept=".xml,.pdf,.png,.jpg,.jpeg,.webp,.tif,.tiff,application/xml,application/pdf,image/*"
        isPending={isReading}
        onFiles={(files) => void read(files)}
      />
      {dropped.length > 0 && (
        <ul className={classes.dropped} aria-label={texts.results}>
          {dropped.map(({ key, name, invoice, error }) => (
            <li key={key}>
              <span className={classes.droppedName}>{name}</span>
              {invoice ? (
                <>
                  <AnchorLink to="/invoices/$invoiceId" params={{ invoiceId: invoice.id }}>
                    {[invoice.supplier?.name, invoice.number].filter(Boolean).join(' · ') ||
                      texts.unnamed}
                  </AnchorLink>
                  <InvoiceState invoice={invoice} />
                </>
              ) : error ? (
                <Refusal error={error} />
              ) : (
                <Loader size="xs" aria-label={texts.reading} />
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Why a document was refused, with each rule that it breaks. */
function Refusal({ error }: { error: unknown }) {
  const issues = error instanceof ProblemError ? error.errors : [];
  return (
    <div>
      <InlineProblem error={error} />
      {issues.length > 0 && (
        <ul>
          {issues.map(({ pointer, detail }) => (
            <li key={`${pointer} ${detail}`}>{detail}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
