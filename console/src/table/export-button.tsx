import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { notifyDone, notifyProblem } from '../feedback/notify.ts';
import { Icon } from '../icons/icon.tsx';
import { useSession } from '../session/connection.tsx';
import { useFormats, useTexts } from '../texts/texts-provider.tsx';
import { csvLines, downloadText } from './csv.ts';
import type { Column } from './data-table.tsx';

type Props<Row> = {
  columns: readonly Column<Row>[];
  /** How many rows match. */
  total: number;
  /** Reads all rows that match. */
  load(): Promise<Row[]>;
  words: { fileName(provider: string): string; exported(count: number, shown: string): string };
};

/** All that matches, in the columns that are shown, as a file. */
export function ExportButton<Row>({ columns, total, load, words }: Props<Row>) {
  const texts = useTexts();
  const formats = useFormats();
  const { provider } = useSession();
  const { mutate, isPending } = useMutation({
    mutationFn: load,
    onSuccess: (rows) => {
      downloadText(`${words.fileName(provider)}.csv`, csvLines(columns, rows));
      notifyDone(words.exported(rows.length, formats.number(rows.length)));
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
