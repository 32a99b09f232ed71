import { Button } from '@mantine/core';
import type { CostTotal } from '@motorpool/client';
import { useMutation } from '@tanstack/react-query';
import { notifyDone, notifyProblem } from '../../feedback/notify.ts';
import { majorOf } from '../../formats/currency.ts';
import { Icon } from '../../icons/icon.tsx';
import { useFleet, useSession } from '../../session/connection.tsx';
import { csvLines, downloadText } from '../../table/csv.ts';
import type { Column } from '../../table/data-table.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { plateOf } from '../../values/vehicle-names.ts';

/** The costs by vehicle and month as a file. */
export function CostExport({ from }: { from: string }) {
  const texts = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const { provider } = useSession();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const totals = await fleet.invoices
        .findCosts({
          from,
          groupBy: ['vehicle', 'month'],
          includeDistance: false,
          pagination: { pageSize: 1_000 },
        })
        .toArray();
      const vehicles = await fleet.vehicles.find({ pagination: { pageSize: 1_000 } }).toArray();
      return { totals, plates: new Map(vehicles.map((one) => [one.asset.id, plateOf(one)])) };
    },
    onSuccess: ({ totals, plates }) => {
      const { costs, vehicleFields, forms, invoice } = texts;
      const column = (header: string, csv: Column<CostTotal>['csv']): Column<CostTotal> => ({
        id: header,
        header,
        csv,
        cell: csv,
        width: 0,
      });
      const columns = [
        column(vehicleFields['asset.id'], ({ vehicleId }) => vehicleId),
        column(vehicleFields['information.licensePlate'], ({ vehicleId }) =>
          plates.get(vehicleId ?? ''),
        ),
        column(costs.month, ({ month }) => month),
        column(costs.amount, ({ amount, currency }) => majorOf(amount, currency)),
        column(invoice.vat, ({ taxAmount, currency }) => majorOf(taxAmount, currency)),
        column(forms.currency, ({ currency }) => currency),
      ];
      downloadText(`${costs.fileName(provider)}.csv`, csvLines(columns, totals));
      notifyDone(costs.exported(formats.number(totals.length)));
    },
    onError: (error) => notifyProblem(error, texts),
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      onClick={() => mutate()}
      loading={isPending}
    >
      {texts.costs.export}
    </Button>
  );
}
