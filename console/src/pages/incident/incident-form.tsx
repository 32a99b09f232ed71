import {
  Autocomplete,
  Button,
  Checkbox,
  Fieldset,
  Group,
  Radio,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { CustomerFields } from '../../forms/customer-fields.tsx';
import { DateInput } from '../../forms/date-input.tsx';
import { Form } from '../../forms/form.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { useNow } from '../../values/now.ts';
import { type FormValues, formIssues } from './form-values.ts';
import classes from './incident-page.module.css';
import { useTranslatedKind } from './use-translated-kind.ts';

type Props = {
  values: FormValues;
  onChange(values: FormValues): void;
  submit: string;
  isPending: boolean;
  /** Whether there is a reason of the page's own not to send it. */
  isBlocked?: boolean;
  /** What that reason is, where no field tells it. */
  obstacle?: string | undefined;
  isNew?: boolean;
  /** Before the fields. */
  children?: ReactNode;
  /** Beside the fields and before the buttons, with forms of its own. */
  beside?: ReactNode;
  /** Whenever somebody wants to send it. */
  onTry?(): void;
  onSubmit(): void;
  onCancel(): void;
};

/** One column; a field is checked while somebody types once it has been left. */
export function IncidentForm(props: Props) {
  const { values, onChange, submit, isPending, isBlocked = false, isNew = false } = props;
  const { incident: texts, incidentFields: fields, forms, incidentKinds } = useTexts();
  const formId = useId();
  const [left, setLeft] = useState<ReadonlySet<keyof FormValues>>(new Set());
  const issues = formIssues(values, useNow());
  const names = Object.keys(values) as (keyof FormValues)[];
  const errorOf = (field: keyof FormValues) => {
    const issue = issues[field];
    if (!issue || !left.has(field)) return;
    return issue === 'noCustomer' ? forms.customer.incomplete : texts.issues[issue];
  };
  const text = (
    field: Exclude<keyof FormValues, 'vehicleOperable' | 'isResolved' | 'customer'>,
  ) => ({
    size: 'xs' as const,
    value: values[field],
    error: errorOf(field),
    onBlur: () => setLeft(new Set([...left, field])),
  });
  const change = (next: Partial<FormValues>) => onChange({ ...values, ...next });
  useTranslatedKind(values.kind, incidentKinds, (kind) => change({ kind }));
  const buttons = (
    <Group gap="xs" justify="flex-end" className={classes.formButtons}>
      {props.obstacle && (
        <Text size="sm" c="var(--state-danger)" role="alert">
          {props.obstacle}
        </Text>
      )}
      <Button variant="default" onClick={props.onCancel}>
        {forms.cancel}
      </Button>
      <Button type="submit" form={formId} loading={isPending}>
        {submit}
      </Button>
    </Group>
  );
  const form = (
    <Form
      id={formId}
      className={classes.form}
      onSubmit={() => {
        setLeft(new Set(names));
        props.onTry?.();
        if (Object.keys(issues).length === 0 && !isPending && !isBlocked) props.onSubmit();
      }}
    >
      <Stack gap="md">
        {props.children}
        <TextInput
          {...text('title')}
          label={fields.title}
          description={texts.titleHelp}
          withAsterisk
          onChange={({ currentTarget }) => change({ title: currentTarget.value })}
        />
        <DateInput
          {...text('happened')}
          hasTime
          label={fields.incidentTimestamp}
          onChange={({ currentTarget }) => change({ happened: currentTarget.value })}
        />
        <TextInput
          {...text('location')}
          label={fields.location}
          description={texts.locationHelp}
          onChange={({ currentTarget }) => change({ location: currentTarget.value })}
        />
        <Autocomplete
          {...text('kind')}
          label={fields.incidentType}
          data={Object.values(incidentKinds)}
          onChange={(kind) => change({ kind })}
        />
        <Radio.Group
          size="xs"
          label={texts.mayDrive}
          value={String(values.vehicleOperable)}
          onChange={(value) => change({ vehicleOperable: value === 'true' })}
        >
          <Stack gap={12} mt={8}>
            <Radio size="xs" value="true" label={texts.mayDriveYes} />
            <Radio size="xs" value="false" label={texts.mayDriveNo} />
          </Stack>
        </Radio.Group>
        <Textarea
          {...text('description')}
          label={fields.description}
          autosize
          minRows={4}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
        />
        <Textarea
          {...text('cause')}
          label={fields.cause}
          autosize
          minRows={2}
          onChange={({ currentTarget }) => change({ cause: currentTarget.value })}
        />
        <Textarea
          {...text('notes')}
          label={fields.notes}
          description={texts.notesHelp}
          autosize
          minRows={2}
          onChange={({ currentTarget }) => change({ notes: currentTarget.value })}
        />
        <Fieldset legend={texts.customer}>
          <Stack gap="sm">
            <CustomerFields
              value={values.customer}
              onChange={(customer) => change({ customer })}
              error={errorOf('customer')}
              onBlur={() => setLeft(new Set([...left, 'customer']))}
            />
          </Stack>
        </Fieldset>
        {!isNew && (
          <Checkbox
            size="xs"
            label={texts.resolvedLabel}
            checked={values.isResolved}
            onChange={({ currentTarget }) => change({ isResolved: currentTarget.checked })}
          />
        )}
        {!props.beside && buttons}
      </Stack>
    </Form>
  );
  if (!props.beside) return form;
  return (
    <div className={classes.formBeside}>
      {form}
      {props.beside}
      {buttons}
    </div>
  );
}
