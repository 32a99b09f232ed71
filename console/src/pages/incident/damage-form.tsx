import {
  Autocomplete,
  Button,
  Checkbox,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import type { DamagePosition } from '@motorpool/client';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { severities } from '../../damage-atlas/damage.ts';
import { useAtlasNames } from '../../damage-atlas/use-atlas-names.ts';
import { DiscardQuestion } from '../../forms/discard-question.tsx';
import { Form } from '../../forms/form.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { type DamageValues, damageOf, usualTitle } from './damage-values.ts';
import classes from './incident-page.module.css';
import { useTranslatedKind } from './use-translated-kind.ts';

type Props = {
  title: string;
  submit: string;
  values: DamageValues;
  isPending: boolean;
  /** Where it asks before it forgets what was entered. */
  question?: { onKeep(): void; onDiscard(): void } | undefined;
  onChange(values: DamageValues): void;
  onSubmit(): void;
  onCancel(): void;
};

const inForm = { withinPortal: false };

/** Where, what and how bad; the atlas fills in where. */
export function DamageForm(props: Props) {
  const { title, submit, values, isPending, question, onChange, onSubmit, onCancel } = props;
  const { incident: texts, forms, damageKinds, severities: severityNames } = useTexts();
  const { positions } = useAtlasNames();
  const names = { kinds: damageKinds, positions };
  const severityLabel = useId();
  const first = useRef<HTMLInputElement>(null);
  const [left, setLeft] = useState({ position: false, kind: false });
  useEffect(() => first.current?.focus(), []);
  const change = (next: Partial<DamageValues>) => onChange({ ...values, ...next });
  useTranslatedKind(values.kind, damageKinds, (kind) => change({ kind }));
  const isValid = damageOf(values, names) !== undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    // The key closes the list of a field first.
    const hasList = (event.target as Element).getAttribute('aria-expanded') === 'true';
    if (event.key === 'Escape' && !hasList) onCancel();
  };
  return (
    <Form
      className={classes.damageForm}
      aria-label={title}
      onKeyDown={onKeyDown}
      onSubmit={() => {
        setLeft({ position: true, kind: true });
        if (isValid && !isPending) onSubmit();
      }}
    >
      <Stack gap="xs">
        <Title order={3}>{title}</Title>
        <Autocomplete
          ref={first}
          size="xs"
          label={texts.damageKind}
          withAsterisk
          data={Object.values(damageKinds)}
          comboboxProps={inForm}
          openOnFocus={values.kind === ''}
          value={values.kind}
          maxLength={200}
          onChange={(kind) => change({ kind })}
          onBlur={() => setLeft({ ...left, kind: true })}
          error={left.kind && values.kind.trim() === '' && forms.required}
        />
        <Select
          label={texts.position}
          description={texts.positionHelp}
          withAsterisk
          searchable
          allowDeselect={false}
          comboboxProps={inForm}
          data={Object.entries(positions).map(([value, label]) => ({ value, label }))}
          value={values.position ?? null}
          onChange={(next) => next && change({ position: next as DamagePosition })}
          onBlur={() => setLeft({ ...left, position: true })}
          error={left.position && values.position === undefined && forms.required}
        />
        <div>
          <Text size="xs" fw={500} id={severityLabel} mb={4}>
            {texts.severity}
          </Text>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-labelledby={severityLabel}
            data={severities.map((value) => ({ value, label: severityNames[value] }))}
            value={values.severity}
            onChange={(severity) => change({ severity: severity as DamageValues['severity'] })}
          />
        </div>
        <TextInput
          label={texts.damageTitle}
          placeholder={usualTitle(values, names)}
          maxLength={500}
          value={values.title}
          onChange={({ currentTarget }) => change({ title: currentTarget.value })}
        />
        <Checkbox
          size="xs"
          label={texts.repaired}
          checked={values.repaired}
          onChange={({ currentTarget }) => change({ repaired: currentTarget.checked })}
        />
        {question && !isPending ? (
          <DiscardQuestion
            onKeep={() => {
              question.onKeep();
              first.current?.focus();
            }}
            onDiscard={question.onDiscard}
          />
        ) : (
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onCancel} disabled={isPending}>
              {forms.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {submit}
            </Button>
          </Group>
        )}
      </Stack>
    </Form>
  );
}
