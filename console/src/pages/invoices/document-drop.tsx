import { Loader } from '@mantine/core';
import { type Invoice, ProblemError } from '@motorpool/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { notifyDone, notifyProblem } from '../../feedback/notify.ts';
import { InlineProblem } from '../../feedback/problem.tsx';
import { FileDrop } from '../../files/file-drop.tsx';
import { warnWhile } from '../../files/warn-while.ts';
import { queryKey } from '../../fleet/queries.ts';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { InvoiceState } from '../../values/invoice-state.tsx';
import classes from './invoices-page.module.css';

type Dropped = { key: string; name: string; invoice?: Invoice; error?: unknown };

/** Takes electronic invoices and receipts, and tells of each what became of it, also after the page was left. */
export function DocumentDrop() {
  const allTexts = useTexts();
  const { invoices: texts } = allTexts;
  const fleet = useFleet();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [dropped, setDropped] = useState<Dropped[]>([]);
  const isReading = dropped.some(({ invoice, error }) => !invoice && !error);
  // None once the page was left.
  const latest = useRef<File[]>(undefined);
  useEffect(
    () => () => {
      latest.current = undefined;
    },
    [],
  );
  const done = ({ status }: Invoice) => (status === 'draft' ? texts.receiptTaken : texts.read);
  const read = async (files: File[]) => {
    const waiting = files.map((file) => ({ key: crypto.randomUUID(), name: file.name, file }));
    latest.current = files;
    setDropped((all) => [...all, ...waiting]);
    const made: Invoice[] = [];
    for (const { key, name, file } of waiting) {
      const tell = (result: Partial<Dropped>) =>
        setDropped((all) => all.map((one) => (one.key === key ? { ...one, ...result } : one)));
      try {
        const invoice = await fleet.invoices.createFromDocument(file);
        made.push(invoice);
        if (latest.current) tell({ invoice });
        else notifyDone(`${name}: ${done(invoice)}`);
      } catch (error) {
        if (latest.current) tell({ error });
        else notifyProblem(error, allTexts, name);
      }
    }
    await queries.invalidateQueries({ queryKey: queryKey('invoice') });
    const [invoice] = made;
    // Somebody who has dropped others beside it wants to see what becomes of them.
    const isAlone = files.length === 1 && !isReading && latest.current === files;
    if (!isAlone || !invoice) return;
    notifyDone(done(invoice));
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
        onFiles={(files) => void warnWhile(read(files))}
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
