import type { Invoice } from '@motorpool/client';
import { useMemo } from 'react';
import { majorOf } from '../../formats/currency.ts';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import type { Column } from '../../table/data-table.tsx';
import { useLocalization } from '../../texts/texts-provider.tsx';
import { invoiceNumberOf } from '../../values/invoice-number.ts';
import { InvoiceState } from '../../values/invoice-state.tsx';
import { Plate } from '../../values/plate.tsx';

export const shownColumns = [
  'number',
  'supplier',
  'status',
  'issued',
  'due',
  'kinds',
  'vehicles',
  'amount',
];

export function useInvoiceColumns(
  plateById: (vehicleId: string) => string | undefined,
): Column<Invoice>[] {
  const { texts, formats } = useLocalization();
  return useMemo(() => {
    const { fields, columns, unnamed, severalVehicles } = texts.invoices;
    const kindsOf = ({ lines }: Invoice) =>
      [...new Set(lines.map(({ kind }) => texts.costKinds[kind]))].join(', ');
    const vehiclesOf = ({ lines }: Invoice) => [
      ...new Set(lines.flatMap(({ vehicleId }) => (vehicleId ? [vehicleId] : []))),
    ];
    return [
      {
        id: 'number',
        header: fields.number,
        width: 200,
        sortField: 'number',
        cell: (invoice) => (
          <AnchorLink
            to="/invoices/$invoiceId"
            params={{ invoiceId: invoice.id }}
            data-row
            fw={500}
          >
            {invoiceNumberOf(invoice, texts.invoices) ?? unnamed}
          </AnchorLink>
        ),
        csv: ({ number }) => number,
      },
      {
        id: 'supplier',
        header: fields['supplier.name'],
        width: 220,
        grows: true,
        sortField: 'supplier.name',
        cell: ({ supplier }) => supplier?.name,
        csv: ({ supplier }) => supplier?.name,
      },
      {
        id: 'status',
        header: columns.status,
        width: 160,
        sortField: 'status',
        cell: (invoice) => <InvoiceState invoice={invoice} />,
        csv: ({ status }) => status,
      },
      {
        id: 'issued',
        header: fields.issueDate,
        width: 120,
        sortField: 'issueDate',
        isNumeric: true,
        cell: ({ issueDate }) => issueDate && formats.date(issueDate),
        csv: ({ issueDate }) => issueDate,
      },
      {
        id: 'due',
        header: fields.dueDate,
        width: 120,
        sortField: 'dueDate',
        isNumeric: true,
        cell: ({ dueDate }) => dueDate && formats.date(dueDate),
        csv: ({ dueDate }) => dueDate,
      },
      {
        id: 'kinds',
        header: fields['lines.kind'],
        width: 170,
        cell: kindsOf,
        csv: kindsOf,
      },
      {
        id: 'vehicles',
        header: columns.vehicles,
        width: 150,
        cell: (invoice) => {
          const [vehicleId, ...others] = vehiclesOf(invoice);
          if (!vehicleId) return null;
          if (others.length > 0) return severalVehicles(others.length + 1);
          return (
            <AnchorLink to="/vehicles/$vehicleId" params={{ vehicleId }}>
              <Plate plate={plateById(vehicleId)} />
            </AnchorLink>
          );
        },
        csv: (invoice) =>
          vehiclesOf(invoice)
            .map((id) => plateById(id) ?? id)
            .join(' '),
      },
      {
        id: 'amount',
        header: columns.amount,
        width: 140,
        sortField: 'totals.payableAmount',
        isNumeric: true,
        cell: ({ totals, currency }) => formats.exactMoney(totals.payableAmount, currency),
        csv: ({ totals, currency }) => majorOf(totals.payableAmount, currency),
      },
    ];
  }, [texts, formats, plateById]);
}
