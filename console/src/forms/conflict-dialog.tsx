import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../texts/texts-provider.tsx';
import classes from './conflict-dialog.module.css';
import type { Choices, Difference, Side } from './versions.ts';

type Props<Field extends string> = {
  differences: readonly Difference<Field>[];
  labelOf(field: Field): string;
  /** The value that a side has, in words. */
  textOf(field: Field, side: Side): string;
  isPending: boolean;
  onSave(choices: Choices<Field>): void;
  onTakeTheirs(): void;
  onClose(): void;
};

/** Both versions of a record side by side, and a choice for each field that differs. */
export function ConflictDialog<Field extends string>(props: Props<Field>) {
  const { differences, labelOf, textOf, isPending, onSave, onTakeTheirs, onClose } = props;
  const { forms } = useTexts();
  const texts = forms.conflict;
  const choicesOf = (sideOf: (difference: Difference<Field>) => Side | undefined) =>
    Object.fromEntries(differences.map((one) => [one.field, sideOf(one)])) as Choices<Field>;
  const [choices, setChoices] = useState(() => choicesOf(({ suggested }) => suggested));
  const isDecided = differences.every(({ field }) => choices[field] !== undefined);
  const isTheirs = differences.every(({ field }) => choices[field] === 'theirs');
  return (
    <Modal
      opened
      size="xl"
      onClose={onClose}
      title={texts.title}
      closeButtonProps={{ 'aria-label': forms.close }}
    >
      <Stack gap="sm">
        <Text c="dimmed">{texts.advice}</Text>
        <Group gap="xs">
          <Button variant="default" onClick={() => setChoices(choicesOf(() => 'mine'))}>
            {texts.allMine}
          </Button>
          <Button variant="default" onClick={() => setChoices(choicesOf(() => 'theirs'))}>
            {texts.allTheirs}
          </Button>
        </Group>
        <div className={classes.versions}>
          {differences.map(({ field, suggested }) => (
            <Radio.Group
              key={field}
              label={labelOf(field)}
              description={suggested === undefined ? texts.both : undefined}
              value={choices[field] ?? null}
              onChange={(side) => setChoices({ ...choices, [field]: side as Side })}
            >
              <div className={classes.versionPair}>
                {(['mine', 'theirs'] as const).map((side) => (
                  <Radio.Card key={side} value={side} className={classes.version}>
                    <Radio.Indicator size="xs" />
                    <span className={classes.versionText}>
                      <span className={classes.versionSide}>{texts[side]}</span>
                      {textOf(field, side)}
                    </span>
                  </Radio.Card>
                ))}
              </div>
            </Radio.Group>
          ))}
        </div>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {forms.cancel}
          </Button>
          <Button
            loading={isPending}
            disabled={!isDecided}
            onClick={() => (isTheirs ? onTakeTheirs() : onSave(choices))}
          >
            {isTheirs ? texts.takeTheirs : texts.save}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
