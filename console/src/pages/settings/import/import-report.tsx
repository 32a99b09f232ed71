import { Box, Code, Text, Title } from '@mantine/core';
import type { ImportReport } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { Icon } from '../../../icons/icon.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import { StateBadge } from '../../../values/state-badge.tsx';
import { RecordTable } from '../record-table.tsx';
import settings from '../settings-page.module.css';
import classes from './import.module.css';

const counts = ['lines', 'created', 'overwritten', 'faulty'] as const;

export function ImportCounts({ report }: { report: ImportReport }) {
  const { imports: words } = useTexts();
  const formats = useFormats();
  return (
    <dl className={classes.counts}>
      {counts.map((name) => (
        <div key={name} data-state={name === 'faulty' && report.faulty > 0 ? 'danger' : undefined}>
          <dt>{words[name]}</dt>
          <dd>{formats.number(report[name])}</dd>
        </div>
      ))}
    </dl>
  );
}

type Props = { report: ImportReport; file: File };

/** Every faulty line with what stands there, and values that are left out. */
export function ImportFindings({ report, file }: Props) {
  const { imports: words } = useTexts();
  const formats = useFormats();
  const { faults, notStored } = report;
  const { data: lines = [], isError: isUnread } = useQuery({
    queryKey: ['imported-file', file.name, file.lastModified, file.size],
    queryFn: async () => (await file.text()).split('\n'),
    gcTime: 0,
    // Changed or moved on the disk, it is told here: the page has more than its lines.
    throwOnError: false,
  });
  const table = (label: string, findings: ImportReport['faults']) => (
    <RecordTable
      label={label}
      rows={findings}
      idOf={(finding) => `${finding.line}-${finding.column}-${finding.detail}`}
      onRetry={() => {}}
      empty={null}
      columns={[
        { header: words.line, width: 80, cell: ({ line }) => formats.number(line) },
        { header: words.column, width: 220, cell: ({ column }) => column && <Code>{column}</Code> },
        { header: words.problem, cell: ({ detail }) => <Text size="sm">{detail}</Text> },
        {
          header: words.content,
          width: 260,
          cell: ({ line }) => (
            <Text size="xs" c="dimmed" ff="monospace" truncate title={lines[line - 1]}>
              {lines[line - 1]}
            </Text>
          ),
        },
      ]}
    />
  );
  return (
    <>
      {isUnread && (
        <Box className={settings.warning} role="alert" mb="md">
          <Icon name="triangle-alert" size={16} />
          <span>{words.unread}</span>
        </Box>
      )}
      {faults.length === 0 ? (
        <StateBadge tone="good" icon="circle-check" text={words.clean} />
      ) : (
        <>
          <Title order={3} mb={8}>
            {words.faults}
          </Title>
          {table(words.faults, faults)}
          {new Set(faults.map(({ line }) => line)).size < report.faulty && (
            <Text size="sm" c="dimmed" mt={8}>
              {words.moreFaults(formats.number(faults.length))}
            </Text>
          )}
        </>
      )}
      {notStored.length > 0 && (
        <>
          <Title order={3} mt="lg">
            {words.notStored}
          </Title>
          <Text size="sm" c="dimmed" mb={8}>
            {words.notStoredHelp}
          </Text>
          {table(words.notStored, notStored)}
        </>
      )}
    </>
  );
}

/** What existing vehicles lose. */
export function ImportLosses({ report }: { report: ImportReport }) {
  const { imports: words } = useTexts();
  const formats = useFormats();
  const { cleared, positionTrackingDisabled } = report;
  return (
    <>
      {cleared.length > 0 && (
        <>
          <Title order={3} mt="lg">
            {words.cleared}
          </Title>
          <Text size="sm" c="dimmed" mb={8}>
            {words.clearedHelp}
          </Text>
          <RecordTable
            label={words.cleared}
            rows={cleared}
            idOf={({ column }) => column}
            onRetry={() => {}}
            empty={null}
            columns={[
              { header: words.column, cell: ({ column }) => <Code>{column}</Code> },
              {
                header: words.vehicles,
                width: 120,
                isNumeric: true,
                cell: ({ vehicles }) => formats.number(vehicles),
              },
            ]}
          />
        </>
      )}
      {positionTrackingDisabled > 0 && (
        <>
          <Title order={3} mt="lg" mb={4}>
            {words.positionsErased}
          </Title>
          <Text size="sm">
            {words.positionsErasedHelp(
              positionTrackingDisabled,
              formats.number(positionTrackingDisabled),
            )}
          </Text>
        </>
      )}
    </>
  );
}
