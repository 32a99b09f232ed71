import { Group, MultiSelect, Select, Textarea, TextInput } from '@mantine/core';
import {
  eTagOf,
  type MaintenanceSchedule,
  type MaintenanceScheduleRequest,
} from '@motorpool/client';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { NumberInput } from '../../../forms/number-input.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useFleet } from '../../../session/connection.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import { EditedRecord, NewRecord, type RecordForm } from '../record-form.tsx';

const types = ['service', 'inspection', 'repair', 'tyres', 'other'] as const;
const months = Array.from({ length: 12 }, (_, index) => index + 1);

type Values = {
  title: string;
  type: (typeof types)[number];
  intervalMonths: number | '';
  intervalDistance: number | '';
  calendarMonths: number[];
  vendor: string;
  model: string;
  reminderDays: number | '';
  reminderDistance: number | '';
  notes: string;
};

export function NewSchedule({ onClose }: { onClose(): void }) {
  const { schedules: words } = useTexts();
  const fleet = useFleet();
  return (
    <NewRecord
      record="maintenance-schedule"
      create={(values: Values) => fleet.maintenanceSchedules.create(requestOf(values))}
      onClose={onClose}
    >
      {(form) => (
        <ScheduleForm
          {...form}
          title={words.createTitle}
          submit={words.create}
          initial={valuesOf()}
        />
      )}
    </NewRecord>
  );
}

type EditProps = { schedule: MaintenanceSchedule; onClose(): void };

export function EditSchedule({ schedule: { id, title }, onClose }: EditProps) {
  const { schedules: words } = useTexts();
  const { maintenanceSchedules } = useFleet();
  return (
    <EditedRecord
      record="maintenance-schedule"
      id={id}
      title={title}
      read={(signal) => maintenanceSchedules.get(id, { signal })}
      save={(values: Values, read) =>
        maintenanceSchedules.put(id, requestOf(values), { ifMatch: eTagOf(read) })
      }
      onClose={onClose}
    >
      {(read, form) => (
        <ScheduleForm {...form} title={title} submit={words.save} initial={valuesOf(read)} />
      )}
    </EditedRecord>
  );
}

type FormProps = RecordForm<Values> & { title: string; submit: string; initial: Values };

function ScheduleForm({ initial, onSubmit, ...dialog }: FormProps) {
  const { schedules: words, forms } = useTexts();
  const { locale } = useFormats();
  const month = new Intl.DateTimeFormat(locale, { month: 'long' });
  const form = useForm(initial, ({ title, intervalMonths, intervalDistance, calendarMonths }) => ({
    title: title.trim() === '' ? forms.required : undefined,
    calendarMonths: calendarMonths.length > 0 && intervalMonths !== '' ? words.notBoth : undefined,
    intervalMonths:
      intervalMonths === '' && intervalDistance === '' && calendarMonths.length === 0
        ? words.needsInterval
        : undefined,
  }));
  const { values, set, text } = form;
  const number = (
    name: 'intervalMonths' | 'intervalDistance' | 'reminderDays' | 'reminderDistance',
  ) => ({
    ...form.field(name),
    flex: 1,
    min: name.startsWith('reminder') ? 0 : 1,
    decimals: 0,
  });
  return (
    <FormDialog
      {...dialog}
      isDirty={form.isDirty}
      onSubmit={() => form.isValid() && onSubmit(values)}
    >
      <TextInput label={words.title} required maxLength={200} data-autofocus {...text('title')} />
      <Select
        label={words.type}
        data={types.map((value) => ({ value, label: words.types[value] }))}
        value={values.type}
        onChange={(type) => type && set({ type: type as Values['type'] })}
        allowDeselect={false}
      />
      <Group gap="sm" align="flex-start" grow>
        <NumberInput label={words.months} {...number('intervalMonths')} />
        <NumberInput label={words.distance} {...number('intervalDistance')} />
      </Group>
      <MultiSelect
        size="xs"
        label={words.calendar}
        description={words.calendarHelp}
        data={months.map((one) => ({
          value: String(one),
          label: month.format(new Date(2026, one - 1, 15)),
        }))}
        value={values.calendarMonths.map(String)}
        onChange={(chosen) => set({ calendarMonths: chosen.map(Number).sort((a, b) => a - b) })}
        onBlur={form.field('calendarMonths').onBlur}
        error={form.errorOf('calendarMonths')}
        clearable
      />
      <Group gap="sm" align="flex-start" grow>
        <TextInput
          label={words.vendor}
          placeholder={words.emptyIsAll}
          maxLength={200}
          {...text('vendor')}
        />
        <TextInput
          label={words.model}
          placeholder={words.emptyIsAll}
          maxLength={200}
          {...text('model')}
        />
      </Group>
      <Group gap="sm" align="flex-start" grow>
        <NumberInput label={words.reminderDays} placeholder="30" {...number('reminderDays')} />
        <NumberInput
          label={words.reminderDistance}
          placeholder="1500"
          {...number('reminderDistance')}
        />
      </Group>
      <Textarea size="xs" label={words.notes} autosize minRows={2} {...text('notes')} />
    </FormDialog>
  );
}

function valuesOf(schedule?: MaintenanceSchedule): Values {
  return {
    title: schedule?.title ?? '',
    type: schedule?.type ?? 'service',
    intervalMonths: schedule?.intervalMonths ?? '',
    intervalDistance: schedule?.intervalDistance ?? '',
    calendarMonths: schedule?.calendarMonths ?? [],
    vendor: schedule?.vendor ?? '',
    model: schedule?.model ?? '',
    reminderDays: schedule?.reminderDays ?? '',
    reminderDistance: schedule?.reminderDistance ?? '',
    notes: schedule?.notes ?? '',
  };
}

function requestOf(values: Values): MaintenanceScheduleRequest {
  const { intervalMonths, intervalDistance, calendarMonths, reminderDays, reminderDistance } =
    values;
  const [vendor, model, notes] = [values.vendor, values.model, values.notes].map((one) =>
    one.trim(),
  );
  return {
    title: values.title.trim(),
    type: values.type,
    ...(intervalMonths !== '' && { intervalMonths }),
    ...(intervalDistance !== '' && { intervalDistance }),
    ...(calendarMonths.length > 0 && { calendarMonths }),
    ...(reminderDays !== '' && { reminderDays }),
    ...(reminderDistance !== '' && { reminderDistance }),
    ...(vendor && { vendor }),
    ...(model && { model }),
    ...(notes && { notes }),
  };
}
