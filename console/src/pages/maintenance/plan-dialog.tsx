import { Group, Select, Text, Textarea, TextInput } from '@mantine/core';
import { eTagOf, type MaintenanceReport } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyDone } from '../../feedback/notify.ts';
import { usePlates } from '../../fleet/named-vehicles.ts';
import { queryKey } from '../../fleet/queries.ts';
import { DateInput } from '../../forms/date-input.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { NumberInput } from '../../forms/number-input.tsx';
import { VehiclePicker } from '../../forms/vehicle-picker.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { changedReport, type Plan, planOf, requestOf } from './plan.ts';

type Props = {
  /** The one to edit; a new one without it. */
  report?: MaintenanceReport;
  /** The vehicle to plan for, where it is clear. */
  vehicleId?: string;
  onClose(): void;
};

const dueFields = ['dueDate', 'dueOdometer', 'intervalMonths', 'intervalDistance'] as const;

/** Plans maintenance, or changes what is planned. */
export function PlanDialog({ report: given, vehicleId, onClose }: Props) {
  const { maintenance: texts, forms } = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  // The version that was on the screen when it was opened, whatever others save meanwhile.
  const [report] = useState(given);
  const [vehicle, setVehicle] = useState(report?.vehicleId ?? vehicleId);
  const plateById = usePlates([vehicle]);
  const [entered, setEntered] = useState<Plan>(report ? planOf(report) : { title: '' });
  const [isDirty, setIsDirty] = useState(false);
  const set = (next: Partial<Plan>) => {
    setEntered({ ...entered, ...next });
    setIsDirty(true);
  };
  const isManual = report === undefined || report.source === 'manual';
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      if (!report) return fleet.maintenance.create(vehicle ?? '', requestOf(entered));
      return fleet.maintenance.put(report.vehicleId, report.id, changedReport(report, entered), {
        ifMatch: eTagOf(report) as string,
      });
    },
    onSuccess: (saved) => {
      notifyDone(
        report ? texts.saved : texts.planned(plateById(saved.vehicleId) ?? saved.vehicleId),
      );
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey('maintenance-report') }),
  });
  const hasDue = dueFields.some((field) => entered[field] !== undefined);
  const number = (field: 'dueOdometer' | 'intervalMonths' | 'intervalDistance') => (
    <NumberInput
      flex={1}
      label={texts.form[field]}
      value={entered[field] ?? ''}
      min={field === 'dueOdometer' ? 0 : 1}
      decimals={0}
      onChange={(value) => set({ [field]: value === '' ? undefined : value })}
    />
  );
  return (
    <FormDialog
      title={report ? texts.editTitle : texts.plan}
      submit={report ? forms.save : texts.plan}
      isDirty={isDirty}
      isPending={isPending}
      isDisabled={!vehicle || entered.title.trim() === '' || (isManual && !hasDue)}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
      onReload={() => {
        void queries.invalidateQueries({ queryKey: queryKey('maintenance-report') });
        onClose();
      }}
    >
      {!report && !vehicleId && (
        <VehiclePicker
          label={texts.form.vehicle}
          value={vehicle}
          isRequired
          onChange={(next) => {
            setVehicle(next);
            setIsDirty(true);
          }}
        />
      )}
      {!isManual && (
        <Text size="sm" c="dimmed">
          {texts.form.managed}
        </Text>
      )}
      <TextInput
        label={texts.form.title}
        withAsterisk
        maxLength={200}
        disabled={report?.source === 'schedule'}
        value={entered.title}
        onChange={({ currentTarget }) => set({ title: currentTarget.value })}
      />
      {isManual && (
        <>
          <Select
            label={texts.form.type}
            data={Object.entries(texts.types).map(([value, label]) => ({ value, label }))}
            value={entered.type ?? 'service'}
            allowDeselect={false}
            onChange={(type) => type && set({ type: type as keyof typeof texts.types })}
          />
          <Group gap="xs" align="flex-end">
            <DateInput
              flex={1}
              label={texts.form.dueDate}
              value={entered.dueDate ?? ''}
              onChange={({ currentTarget }) => set({ dueDate: currentTarget.value || undefined })}
            />
            {number('dueOdometer')}
          </Group>
          <Group gap="xs" align="flex-end">
            {number('intervalMonths')}
            {number('intervalDistance')}
          </Group>
          <Text size="xs" c="dimmed">
            {isDirty && !hasDue ? texts.form.dueNeeded : texts.form.dueHelp}
          </Text>
        </>
      )}
      <Textarea
        label={texts.form.notes}
        autosize
        minRows={2}
        value={entered.notes ?? ''}
        onChange={({ currentTarget }) => set({ notes: currentTarget.value || undefined })}
      />
    </FormDialog>
  );
}
