import { Button } from '@mantine/core';
import type { FindVehiclesRequest, Vehicle } from '@motorpool/client';
import { useMutation } from '@tanstack/react-query';
import { notifyDone, notifyProblem } from '../../feedback/notify.ts';
import { Icon } from '../../icons/icon.tsx';
import { useFleet, useSession } from '../../session/connection.tsx';
import { csvLines, downloadText } from '../../table/csv.ts';
import type { Column } from '../../table/data-table.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';

type Props = {
  request: FindVehiclesRequest;
  columns: readonly Column<Vehicle>[];
  total: number;
};

/** All vehicles that match, in the columns that are shown, as a file. */
export function ExportButton({ request, columns, total }: Props) {
  const texts = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const { provider } = useSession();
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      fleet.vehicles.find({ ...request, pagination: { pageSize: 1_000 } }).toArray(),
    onSuccess: (vehicles) => {
      downloadText(`${texts.vehicles.fileName(provider)}.csv`, csvLines(columns, vehicles));
      notifyDone(texts.vehicles.exported(vehicles.length, formats.number(vehicles.length)));
    },
    onError: (error) => notifyProblem(error, texts),
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      onClick={() => mutate()}
      loading={isPending}
      disabled={total === 0}
    >
      {texts.table.export}
    </Button>
  );
}
