import { Button, Group, Modal, Progress, Select, Stack, Text } from '@mantine/core';
import type { Vehicle } from '@motorpool/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { queryKey } from '../../../fleet/queries.ts';
import { DiscardQuestion } from '../../../forms/discard-question.tsx';
import { Form } from '../../../forms/form.tsx';
import { useDiscardQuestion } from '../../../forms/use-discard-question.ts';
import { useFleet } from '../../../session/connection.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import { type BulkAction, workOf } from './bulk-actions.ts';
import { BulkReport } from './bulk-report.tsx';
import { noPlan, PlanFields } from './plan-fields.tsx';
import { type BulkProgress, notDone, nothingDone, runBulk } from './run-bulk.ts';

const maxChoices = 200;

type Props = {
  action: BulkAction;
  vehicles: readonly Vehicle[];
  /** Told what is not done: what failed, and what was not begun. */
  onClose(notDone: readonly Vehicle[]): void;
};

type Run = { total: number; progress: BulkProgress<Vehicle>; isOver: boolean };

/** Asks what is missing, shows how far it is, and reports what failed. */
export function BulkDialog({ action, vehicles, onClose }: Props) {
  const { bulk: words, forms } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const queries = useQueryClient();
  const [choice, setChoice] = useState<string>();
  const [plan, setPlan] = useState(noPlan);
  const [run, setRun] = useState<Run>();
  const stopping = useRef<AbortController>(undefined);
  const { schedules, templates } = useChoices(action);
  const schedule = schedules?.find(({ id }) => id === choice);
  const work = workOf(fleet, action, { schedule, templateId: choice, plan });
  const start = async (items: readonly Vehicle[]) => {
    if (!work) return;
    const controller = new AbortController();
    stopping.current = controller;
    const total = items.length;
    setRun({ total, progress: nothingDone(items), isOver: false });
    const progress = await runBulk(items, work, {
      signal: controller.signal,
      onProgress: (next) => setRun({ total, progress: next, isOver: false }),
    });
    setRun({ total, progress, isOver: true });
    for (const name of ['vehicle', 'maintenance-report', 'checklist-entry'] as const)
      void queries.invalidateQueries({ queryKey: queryKey(name) });
  };
  const isRunning = run !== undefined && !run.isOver;
  const isDone = run?.isOver === true && run.progress.done === run.total;
  // Without the dialog it would go on, and nobody could stop it or see what failed.
  useBlocker({ shouldBlockFn: () => isRunning, enableBeforeUnload: isRunning });
  const { isAsking, close, discard, stay } = useDiscardQuestion({
    isDirty: run === undefined && (choice !== undefined || plan !== noPlan),
    isPending: isRunning,
    onClose: () => onClose(run ? notDone(run.progress) : vehicles),
  });
  const options =
    schedules?.map(({ id, title }) => ({ value: id, label: title })) ??
    templates?.map(({ id, name }) => ({ value: id, label: name })) ??
    [];
  return (
    <Modal
      opened
      onClose={close}
      title={words.titles[action](vehicles.length, formats.number(vehicles.length))}
      closeButtonProps={{ 'aria-label': forms.close, disabled: isRunning }}
      closeOnClickOutside={false}
      closeOnEscape={!isRunning}
      size={run?.isOver && !isDone ? 'lg' : 'md'}
    >
      <Stack gap="sm">
        {run === undefined ? (
          <Form onSubmit={() => void start(vehicles)}>
            <Stack gap="sm">
              <Text>{words.about[action]}</Text>
              {action === 'plan' && <PlanFields plan={plan} onChange={setPlan} />}
              {(action === 'schedule' || action === 'template') && (
                <Select
                  label={action === 'schedule' ? words.scheduleLabel : words.templateLabel}
                  data={options}
                  value={choice ?? null}
                  onChange={(next) => setChoice(next ?? undefined)}
                  searchable
                  openOnFocus={false}
                  data-autofocus
                  nothingFoundMessage={
                    action === 'schedule' ? words.noSchedules : words.noTemplates
                  }
                />
              )}
              {isAsking ? (
                <DiscardQuestion onKeep={stay} onDiscard={discard} />
              ) : (
                <Group justify="flex-end" gap="xs">
                  <Button variant="default" onClick={close}>
                    {forms.cancel}
                  </Button>
                  <Button
                    type="submit"
                    disabled={!work}
                    data-autofocus={action === 'activate' || action === 'deactivate' || undefined}
                  >
                    {words[action]}
                  </Button>
                </Group>
              )}
            </Stack>
          </Form>
        ) : run.isOver ? (
          <BulkReport
            progress={run.progress}
            onRetry={(items) => void start(items)}
            onClose={close}
          />
        ) : (
          <Running run={run} onStop={() => stopping.current?.abort()} />
        )}
      </Stack>
    </Modal>
  );
}

function Running({ run: { total, progress }, onStop }: { run: Run; onStop(): void }) {
  const { bulk: words } = useTexts();
  const { number } = useFormats();
  const [isStopping, setIsStopping] = useState(false);
  const finished = progress.done + progress.failures.length;
  const label = words.progress(number(finished), number(total));
  return (
    <>
      <Progress.Root size="lg">
        <Progress.Section value={(finished / total) * 100} aria-label={label} />
      </Progress.Root>
      <Group justify="space-between">
        <Text aria-live="polite">{progress.isWaiting ? words.waiting : label}</Text>
        <Button
          variant="default"
          loading={isStopping}
          onClick={() => {
            setIsStopping(true);
            onStop();
          }}
        >
          {words.stop}
        </Button>
      </Group>
    </>
  );
}

/** The schedules or templates that the action may use. */
function useChoices(action: BulkAction) {
  const fleet = useFleet();
  const pagination = { pageSize: maxChoices };
  const { data: schedules } = useQuery({
    queryKey: queryKey('maintenance-schedule', 'choices'),
    queryFn: ({ signal }) => fleet.maintenanceSchedules.find({ pagination }, { signal }).page(),
    enabled: action === 'schedule',
  });
  const { data: templates } = useQuery({
    queryKey: queryKey('checklist-template', 'choices'),
    queryFn: ({ signal }) => fleet.checklistTemplates.find({ pagination }, { signal }).page(),
    enabled: action === 'template',
  });
  return {
    schedules: action === 'schedule' ? schedules?.items : undefined,
    templates: action === 'template' ? templates?.items : undefined,
  };
}
