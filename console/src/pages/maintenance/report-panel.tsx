import { Button, Drawer, Group, Stack } from '@mantine/core';
import { eTagOf, type MaintenanceReport } from '@motorpool/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyDone } from '../../feedback/notify.ts';
import { Problem } from '../../feedback/problem.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { usePlates } from '../../fleet/named-vehicles.ts';
import { queryKey } from '../../fleet/queries.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { Icon } from '../../icons/icon.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { CompleteDialog } from './complete-dialog.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { ReportDetails } from './report-details.tsx';

type Props = { vehicleId: string; reportId: string; onClose(): void };

type Dialog = 'complete' | 'edit' | 'delete';

/** A report beside the list: when it is due, why, and what can be done. */
export function ReportPanel({ vehicleId, reportId, onClose }: Props) {
  const { forms } = useTexts();
  const fleet = useFleet();
  const plate = usePlates([vehicleId])(vehicleId);
  const [open, setOpen] = useState<Dialog>();
  const { data, error, refetch } = useQuery({
    queryKey: queryKey('maintenance-report', 'one', vehicleId, reportId),
    queryFn: ({ signal }) => fleet.maintenance.get(vehicleId, reportId, { signal }),
  });
  return (
    <Drawer
      opened
      onClose={onClose}
      // It closes the dialog first, which may still be sending.
      closeOnEscape={open === undefined}
      position="right"
      size={480}
      title={data?.title ?? plate ?? ''}
      overlayProps={{ backgroundOpacity: 0.15 }}
      closeButtonProps={{ 'aria-label': forms.close }}
    >
      {error && !data ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Stack gap="md">
          <ReportDetails report={data} plate={plate} />
          <ReportActions
            report={data}
            plate={plate}
            open={open}
            onOpen={setOpen}
            onGone={onClose}
          />
        </Stack>
      ) : (
        <Delayed>
          <Bone width="60%" />
        </Delayed>
      )}
    </Drawer>
  );
}

type ActionProps = {
  report: MaintenanceReport;
  plate: string | undefined;
  open: Dialog | undefined;
  onOpen(dialog: Dialog | undefined): void;
  onGone(): void;
};

function ReportActions(props: ActionProps) {
  const { report, plate = report.vehicleId, open, onOpen, onGone } = props;
  const { maintenance: texts } = useTexts();
  const mayEdit = useMay('editor');
  const close = () => onOpen(undefined);
  const isOver = !mayEdit || report.status === 'done';
  return (
    <>
      {!isOver && (
        <Group gap="xs">
          <Button leftSection={<Icon name="check" size={16} />} onClick={() => onOpen('complete')}>
            {texts.complete}
          </Button>
          <Button variant="default" onClick={() => onOpen('edit')}>
            {texts.edit}
          </Button>
          <Button variant="subtle" color="red" onClick={() => onOpen('delete')}>
            {texts.delete}
          </Button>
        </Group>
      )}
      {/* What is being entered stays when somebody else has it done meanwhile. */}
      {open === 'complete' && (
        <CompleteDialog report={report} plate={plate} onClose={close} onDone={onGone} />
      )}
      {open === 'edit' && <PlanDialog report={report} onClose={close} />}
      {open === 'delete' && (
        <DeleteQuestion report={report} plate={plate} onClose={close} onGone={onGone} />
      )}
    </>
  );
}

type DeleteProps = {
  report: MaintenanceReport;
  plate: string;
  onClose(): void;
  onGone(): void;
};

function DeleteQuestion({ report, plate, onClose, onGone }: DeleteProps) {
  const { maintenance: texts } = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  // What the question names, whatever somebody else saves meanwhile.
  const [asked] = useState(report);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      fleet.maintenance.delete(asked.vehicleId, asked.id, { ifMatch: eTagOf(asked) as string }),
    onSuccess: () => {
      notifyDone(texts.deleted);
      onGone();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey('maintenance-report') }),
  });
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      text={texts.deleteText(asked.title, plate)}
      confirm={texts.delete}
      isPending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
