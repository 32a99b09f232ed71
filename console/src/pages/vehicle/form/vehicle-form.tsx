import { Button, Switch, Text, TextInput } from '@mantine/core';
import { InlineProblem } from '../../../feedback/problem.tsx';
import { DateInput } from '../../../forms/date-input.tsx';
import { FieldGroup, FormEnd, GroupedForm, wide } from '../../../forms/grouped-form.tsx';
import { NumberInput } from '../../../forms/number-input.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { type bounds, codeOf, type FormValues, isUsualVin } from './form-values.ts';
import type { Refusals } from './refusals.tsx';
import type { VehicleFields } from './use-vehicle-fields.ts';
import classes from './vehicle-form.module.css';

type Props = {
  fields: VehicleFields;
  /** What the id of a new vehicle begins with; that of others is not changed. */
  prefix?: string;
  submit: string;
  isPending: boolean;
  /** Why the last try was refused, and what of it belongs to a field. */
  error: unknown;
  refusals: Refusals;
  onSubmit(): void;
  onCancel(): void;
};

type NumberField = keyof typeof bounds;

export function VehicleForm(props: Props) {
  const { fields, prefix, submit, isPending, error, refusals, onSubmit, onCancel } = props;
  const { vehicleForm: words, forms } = useTexts();
  const { values, set } = fields;
  const text = (name: 'licensePlate' | 'vendor' | 'model' | 'variant') => ({
    ...fields.text(name),
    label: words.fields[name],
    error: fields.errorOf(name) ?? refusals[name],
  });
  const number = (name: NumberField) => ({
    label: words.fields[name],
    value: values[name],
    onChange: (value: number | '') => set({ [name]: value } as Pick<FormValues, NumberField>),
    onBlur: fields.field(name).onBlur,
    // What is out of bounds is told, and not changed behind somebody's back.
    error: fields.errorOf(name) ?? refusals[name],
  });
  const toggle = (name: 'active' | 'trackGeolocation') => ({
    className: wide,
    size: 'xs' as const,
    label: words.fields[name],
    checked: values[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      set({ [name]: currentTarget.checked } as Pick<FormValues, typeof name>),
  });
  const isVinUnusual = values.vin.trim() !== '' && !isUsualVin(values.vin);
  return (
    <GroupedForm
      refusal={error}
      onSubmit={() => {
        if (!isPending && fields.isValid()) onSubmit();
      }}
    >
      <FieldGroup title={words.groups.identity}>
        {prefix && (
          <TextInput
            {...fields.text('code')}
            className={wide}
            classNames={{ section: classes.prefix, input: classes.code }}
            label={words.id}
            description={words.idHelp}
            withAsterisk
            leftSection={prefix}
            leftSectionWidth={`calc(${prefix.length}ch + 11px)`}
            autoComplete="off"
            spellCheck={false}
            onChange={({ currentTarget }) => set({ code: codeOf(currentTarget.value, prefix) })}
            error={fields.errorOf('code') ?? refusals.code}
          />
        )}
        <TextInput {...text('licensePlate')} className={wide} description={words.plateHelp} />
        <TextInput
          {...fields.text('vin')}
          className={wide}
          label={words.fields.vin}
          description={
            isVinUnusual ? (
              <span className={classes.unusual}>{words.vinUnusual}</span>
            ) : (
              words.vinHelp
            )
          }
          autoComplete="off"
          spellCheck={false}
          error={fields.errorOf('vin') ?? refusals.vin}
        />
      </FieldGroup>
      <FieldGroup title={words.groups.model}>
        <TextInput {...text('vendor')} />
        <TextInput {...text('model')} />
        <TextInput {...text('variant')} className={wide} description={words.variantHelp} />
        <NumberInput {...number('seats')} description={words.seatsHelp} decimals={0} />
      </FieldGroup>
      <FieldGroup title={words.groups.registration}>
        <DateInput
          {...fields.text('firstRegistrationDate')}
          label={words.fields.firstRegistrationDate}
          error={fields.errorOf('firstRegistrationDate') ?? refusals.firstRegistrationDate}
        />
        <NumberInput {...number('buildYear')} decimals={0} isGrouped={false} />
      </FieldGroup>
      <FieldGroup title={words.groups.energy}>
        <Text className={wide} size="xs" c="dimmed">
          {words.energyHelp}
        </Text>
        <NumberInput {...number('evBatteryCapacity')} unit={words.units.kilowattHours} />
        <NumberInput {...number('iceTankCapacity')} unit={words.units.litres} />
      </FieldGroup>
      <FieldGroup title={words.groups.operation}>
        <Switch {...toggle('active')} description={words.activeHelp} />
        <Switch {...toggle('trackGeolocation')} description={words.trackHelp} />
      </FieldGroup>
      <FormEnd>
        {error !== null && <InlineProblem error={error} />}
        <Button variant="default" onClick={onCancel}>
          {forms.cancel}
        </Button>
        <Button type="submit" loading={isPending}>
          {submit}
        </Button>
      </FormEnd>
    </GroupedForm>
  );
}
