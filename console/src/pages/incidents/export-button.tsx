import { Button } from '@mantine/core';
import type { FindIncidentsRequest, FleetIncident } from '@motorpool/client';
import { useMutation } from '@tanstack/react-query';
import { notifyDone, notifyProblem } from '../../feedback/notify.ts';
import { Icon } from '../../icons/icon.tsx';
import { useFleet, useSession } from '../../session/connection.tsx';
import { csvLines, downloadText } from '../../table/csv.ts';
import type { Column } from '../../table/data-table.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';

type Props = {
  request: FindIncidentsRequest;
  columns: readonly Column<FleetIncident>[];
  total: number;
};

/** All incidents that match, in the columns that are shown, as a file. */
export function ExportButton({ request, columns, total }: Props) {
  const texts = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const { provider } = useSession();
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      fleet.incidents.findInFleet({ ...request, pagination: { pageSize: 200 } }).toArray(),
    onSuccess: (incidents) => {
      downloadText(`${texts.incidents.fileName(provider)}.csv`, csvLines(columns, incidents));
      notifyDone(texts.incidents.exported(incidents.length, formats.number(incidents.length)));
    },
    onError: (error) => notifyProblem(error, texts),
  });
  return (
    <Button
      variant="default"
      visibleFrom="xs"
      leftSection={<Icon name="download" size={16} />}
      onClick={() => mutate()}
      loading={isPending}
      disabled={total === 0}
    >
      {texts.table.export}
    </Button>
  );
}
