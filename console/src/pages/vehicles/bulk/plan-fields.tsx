import { Select, Textarea, TextInput } from '@mantine/core';
import type { MaintenanceReportRequest } from '@motorpool/client';
import { DateInput } from '../../../forms/date-input.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';

/** Work that many vehicles have done on the same day. */
export type WorkshopPlan = Required<
  Pick<MaintenanceReportRequest, 'title' | 'type' | 'dueDate' | 'notes'>
>;

export const noPlan: WorkshopPlan = { title: '', type: 'service', dueDate: '', notes: '' };

export const isComplete = ({ title, dueDate }: WorkshopPlan): boolean =>
  title.trim() !== '' && dueDate !== '';

type Props = { plan: WorkshopPlan; onChange(plan: WorkshopPlan): void };

export function PlanFields({ plan, onChange }: Props) {
  const { types, form } = useTexts().maintenance;
  const set = (next: Partial<WorkshopPlan>) => onChange({ ...plan, ...next });
  return (
    <>
      <TextInput
        label={form.title}
        withAsterisk
        maxLength={200}
        data-autofocus
        value={plan.title}
        onChange={({ currentTarget }) => set({ title: currentTarget.value })}
      />
      <Select
        label={form.type}
        data={Object.entries(types).map(([value, label]) => ({ value, label }))}
        value={plan.type}
        allowDeselect={false}
        onChange={(type) => type && set({ type: type as WorkshopPlan['type'] })}
      />
      <DateInput
        label={form.dueDate}
        withAsterisk
        value={plan.dueDate}
        onChange={({ currentTarget }) => set({ dueDate: currentTarget.value })}
      />
      <Textarea
        label={form.notes}
        autosize
        minRows={2}
        value={plan.notes}
        onChange={({ currentTarget }) => set({ notes: currentTarget.value })}
      />
    </>
  );
}
