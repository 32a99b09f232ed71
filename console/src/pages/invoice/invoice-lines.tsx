import { ActionIcon, Tooltip } from '@mantine/core';
import type { Invoice } from '@motorpool/client';
import { useState } from 'react';
import { usePlates } from '../../fleet/named-vehicles.ts';
import { digitsOf } from '../../formats/currency.ts';
import { Icon } from '../../icons/icon.tsx';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { Panel } from '../../layout/panel.tsx';
import { ScrollBox } from '../../layout/scroll-box.tsx';
import { useMay } from '../../session/connection.tsx';
import cards from '../../table/card-rows.module.css';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { Plate } from '../../values/plate.tsx';
import classes from './invoice-page.module.css';
import { LineDialog } from './line-dialog.tsx';

/** The lines and what they add up to. */
export function InvoiceLines({ invoice }: { invoice: Invoice }) {
  const { invoice: texts, costKinds } = useTexts();
  const formats = useFormats();
  const mayEdit = useMay('editor') && invoice.status !== 'cancelled';
  const [edited, setEdited] = useState<number>();
  const { lines, currency, totals, vatBreakdown } = invoice;
  const plateById = usePlates(lines.map(({ vehicleId }) => vehicleId));
  const money = (minor: number) => formats.exactMoney(minor, currency);
  const rate = (vatRate: string | undefined) =>
    vatRate === undefined ? '' : formats.percentOf(Number(vatRate));
  const allowances = totals.chargeAmount - totals.allowanceAmount;
  if (lines.length === 0)
    return (
      <Panel title={texts.lines}>
        <p className={classes.quiet}>{texts.noLines}</p>
      </Panel>
    );
  return (
    <Panel title={texts.lines} count={lines.length}>
      <ScrollBox label={texts.lines}>
        <table className={`${classes.lines} ${cards.cardRows}`}>
          <thead>
            <tr>
              <th scope="col">{texts.text}</th>
              <th scope="col">{texts.kind}</th>
              <th scope="col">{texts.vehicle}</th>
              <th scope="col" data-numeric>
                {texts.quantity}
              </th>
              <th scope="col" data-numeric>
                {texts.price}
              </th>
              <th scope="col" data-numeric>
                {texts.vat}
              </th>
              <th scope="col" data-numeric>
                {texts.net}
              </th>
              {mayEdit && <td />}
            </tr>
          </thead>
          <tbody>
            {lines.map((line, index) => (
              <tr key={line.lineNumber}>
                <td>
                  {line.text}
                  {line.description && (
                    <span className={classes.description}>{line.description}</span>
                  )}
                </td>
                <td data-label={texts.kind}>{costKinds[line.kind]}</td>
                <td data-label={texts.vehicle}>
                  {line.vehicleId && (
                    <AnchorLink to="/vehicles/$vehicleId" params={{ vehicleId: line.vehicleId }}>
                      <Plate plate={plateById(line.vehicleId)} />
                    </AnchorLink>
                  )}
                </td>
                <td data-numeric data-label={texts.quantity}>
                  {formats.number(Number(line.quantity), 3)}
                </td>
                <td data-numeric data-label={texts.price}>
                  {formats.price(
                    Number(line.unitPrice) / Number(line.priceBaseQuantity),
                    currency,
                    Math.max(digitsOf(currency), (line.unitPrice.split('.')[1] ?? '').length),
                  )}
                </td>
                <td data-numeric data-label={texts.vat}>
                  {rate(line.vatRate)}
                </td>
                <td data-numeric data-label={texts.net}>
                  {money(line.netAmount)}
                </td>
                {mayEdit && (
                  <td className={classes.edit} data-actions>
                    <Tooltip label={texts.editLine(line.lineNumber)}>
                      <ActionIcon
                        size="sm"
                        aria-label={texts.editLine(line.lineNumber)}
                        onClick={() => setEdited(index)}
                      >
                        <Icon name="pencil" size={14} />
                      </ActionIcon>
                    </Tooltip>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <dl className={classes.totals}>
        <Row label={texts.netTotal} value={money(totals.lineNetAmount)} />
        {allowances !== 0 && <Row label={texts.allowances} value={money(allowances)} />}
        {vatBreakdown.map(({ vatCategory, vatRate, taxAmount }) => (
          <Row
            key={`${vatCategory} ${vatRate}`}
            label={texts.vatOf(rate(vatRate))}
            value={money(taxAmount)}
          />
        ))}
        <div data-strong>
          <dt>{texts.payable}</dt>
          <dd>{money(totals.payableAmount)}</dd>
        </div>
      </dl>
      {edited !== undefined && (
        <LineDialog invoice={invoice} index={edited} onClose={() => setEdited(undefined)} />
      )}
    </Panel>
  );
}

function Row({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
