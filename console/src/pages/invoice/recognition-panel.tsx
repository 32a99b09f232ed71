import type { Invoice, InvoiceOcr } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { usePlates } from '../../fleet/named-vehicles.ts';
import { Panel } from '../../layout/panel.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { recognisedCurrency } from './draft.ts';
import classes from './invoice-page.module.css';
import { useRecognition } from './use-recognition.ts';

/** What the text of a receipt suggests, beside the text itself. */
export function RecognitionPanel({ invoice }: { invoice: Invoice }) {
  const { invoice: texts } = useTexts();
  const formats = useFormats();
  const { data } = useQuery(useRecognition(invoice));
  const plateById = usePlates(
    data?.suggestions.map(({ field, value }) => (field === 'vehicleId' ? value : undefined)) ?? [],
  );
  if (!data || data.status === 'NOT_STARTED') return null;
  const show = ({ field, value }: InvoiceOcr['suggestions'][number]) =>
    field === 'vehicleId'
      ? plateById(value)
      : field === 'issueDate' || field === 'dueDate'
        ? formats.date(value)
        : /Amount$/.test(field)
          ? formats.exactMoney(Number(value), recognisedCurrency(invoice, data.suggestions))
          : value;
  return (
    <Panel title={texts.recognition}>
      {data.status === 'PROCESSING' ? (
        <p className={classes.quiet} aria-live="polite">
          {texts.recognising}
        </p>
      ) : data.status === 'ERROR' ? (
        <p className={classes.quiet}>{data.reason ?? texts.notRecognised}</p>
      ) : (
        <>
          {data.suggestions.length === 0 && (
            <p className={classes.quiet}>{texts.nothingRecognised}</p>
          )}
          <dl className={classes.facts}>
            {data.suggestions.map((suggestion) => (
              <div key={`${suggestion.field} ${suggestion.value}`}>
                <dt>{texts.suggestionFields[suggestion.field]}</dt>
                <dd>
                  {show(suggestion)}
                  <span className={classes.sure}>
                    {texts.confidence(formats.percent(suggestion.confidence * 100))}
                  </span>
                </dd>
              </div>
            ))}
          </dl>
          {data.pages.length > 0 && (
            <details className={classes.text}>
              <summary>{texts.recognisedText}</summary>
              <pre>{data.pages.join('\n\n')}</pre>
            </details>
          )}
        </>
      )}
    </Panel>
  );
}
