import { Breadcrumbs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Problem } from '../../feedback/problem.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { AttachedFiles } from '../../files/attached-files.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { Page } from '../../frame/page.tsx';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { Panel } from '../../layout/panel.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { CopyableId } from '../../values/copyable-id.tsx';
import { FullInvoiceState } from '../../values/invoice-state.tsx';
import { InvoiceActions } from './invoice-actions.tsx';
import { InvoiceFacts } from './invoice-facts.tsx';
import { InvoiceLines } from './invoice-lines.tsx';
import classes from './invoice-page.module.css';
import { RecognitionPanel } from './recognition-panel.tsx';
import { invoiceRoute } from './route.ts';

/** An invoice as it was read, and what is decided on it. */
export function InvoicePage() {
  const { pages, invoice: texts, invoices } = useTexts();
  const fleet = useFleet();
  const { invoiceId } = invoiceRoute.useParams();
  const { data, error, refetch } = useQuery({
    queryKey: queryKey('invoice', 'one', invoiceId),
    queryFn: ({ signal }) => fleet.invoices.get(invoiceId, { signal }),
  });
  const title = data && [data.supplier?.name, data.number].filter(Boolean).join(' · ');
  return (
    <>
      <Breadcrumbs className={classes.crumbs} separatorMargin={6}>
        <AnchorLink to="/invoices" size="xs">
          {pages.invoices}
        </AnchorLink>
        <CopyableId id={invoiceId} />
      </Breadcrumbs>
      <Page
        title={title || (data ? invoices.unnamed : pages.invoices)}
        aside={data && <FullInvoiceState invoice={data} />}
        actions={data && <InvoiceActions invoice={data} />}
      >
        {error && !data ? (
          <Problem error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <div className={classes.columns}>
            <div className={classes.stack}>
              <InvoiceLines invoice={data} />
              {data.status === 'draft' && <RecognitionPanel invoice={data} />}
            </div>
            <div className={classes.stack}>
              <InvoiceFacts invoice={data} />
              <Panel title={texts.files} count={data.blobs?.length}>
                {data.blobs?.length ? (
                  <AttachedFiles
                    files={data.blobs}
                    download={(uuid, signal) =>
                      fleet.invoices.downloadFile(invoiceId, uuid, signal ? { signal } : {})
                    }
                  />
                ) : (
                  <p className={classes.quiet}>{texts.noFiles}</p>
                )}
              </Panel>
            </div>
          </div>
        ) : (
          <Delayed>
            <Bone width="40%" />
          </Delayed>
        )}
      </Page>
    </>
  );
}
