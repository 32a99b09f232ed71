import { Button, Code, Group, Loader, Text, Title } from '@mantine/core';
import type { ImportReport } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { InlineProblem } from '../../../feedback/problem.tsx';
import { queryKey } from '../../../fleet/queries.ts';
import { Icon } from '../../../icons/icon.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import { SectionHeader } from '../section-header.tsx';
import { FileDrop } from './file-drop.tsx';
import classes from './import.module.css';
import { ImportCounts, ImportFindings, ImportLosses } from './import-report.tsx';

const example =
  'asset.id,information.licensePlate,information.vendor,information.model\nDE*ABC*V0001,HH-AB 1234,VW,ID.3';

/** A file is checked first, as the import itself would; nothing is changed before somebody says so. */
export function ImportSection() {
  const { imports: words } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const queries = useQueryClient();
  const [file, setFile] = useState<File>();
  const check = useMutation({
    mutationFn: (chosen: File) => fleet.vehicles.import(chosen, { dryRun: true }),
  });
  const run = useMutation({
    mutationFn: ({ chosen, skipFaulty }: { chosen: File; skipFaulty: boolean }) =>
      fleet.vehicles.import(chosen, { skipFaulty }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKey('vehicle') }),
  });
  const choose = (chosen: File) => {
    setFile(chosen);
    run.reset();
    check.mutate(chosen);
  };
  const begin = () => {
    setFile(undefined);
    check.reset();
    run.reset();
  };
  if (run.data?.written)
    return (
      <>
        <SectionHeader name="import" />
        <Done report={run.data} onAgain={begin} />
      </>
    );
  const report = run.data ?? check.data;
  return (
    <>
      <SectionHeader name="import" />
      {!file ? (
        <>
          <FileDrop onFile={choose} />
          <Title order={3} mt="lg" mb={4}>
            {words.example}
          </Title>
          <Code block className={classes.example}>
            {example}
          </Code>
          <Text size="sm" c="dimmed" mt={8}>
            {words.columns}
          </Text>
        </>
      ) : (
        <>
          <Group gap="sm" mb="md">
            <Icon name="file-up" size={18} />
            <Text fw={500}>{file.name}</Text>
            <Button variant="subtle" onClick={begin}>
              {words.another}
            </Button>
          </Group>
          {check.isPending && (
            <Group gap="sm" aria-busy>
              <Loader size="xs" />
              <Text>{words.checking}</Text>
            </Group>
          )}
          {check.error && <InlineProblem error={check.error} />}
          {report && (
            <>
              <ImportCounts report={report} />
              <ImportFindings report={report} file={file} />
              <ImportLosses report={report} />
              {run.error && <InlineProblem error={run.error} />}
              <Group justify="flex-end" mt="md">
                {report.created + report.overwritten === 0 ? (
                  <Text c="dimmed">{words.nothing}</Text>
                ) : (
                  <Button
                    loading={run.isPending}
                    onClick={() => run.mutate({ chosen: file, skipFaulty: report.faulty > 0 })}
                  >
                    {(report.faulty > 0 ? words.importValid : words.import)(
                      formats.number(report.created + report.overwritten),
                    )}
                  </Button>
                )}
              </Group>
            </>
          )}
        </>
      )}
    </>
  );
}

function Done({ report, onAgain }: { report: ImportReport; onAgain(): void }) {
  const { imports: words } = useTexts();
  const { number } = useFormats();
  return (
    <div className={classes.done}>
      <EmptyState
        icon="circle-check"
        title={words.doneTitle}
        advice={words.done(number(report.created), number(report.overwritten))}
      >
        <Group gap="xs">
          <Button component={Link} to="/vehicles">
            {words.toVehicles}
          </Button>
          <Button variant="default" onClick={onAgain}>
            {words.another}
          </Button>
        </Group>
      </EmptyState>
    </div>
  );
}
