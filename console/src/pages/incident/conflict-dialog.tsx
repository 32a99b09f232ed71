import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../texts/texts-provider.tsx';
import {
  compareDrafts,
  type Draft,
  type DraftField,
  draftOf,
  mergeDrafts,
  type Side,
} from './incident-draft.ts';
import classes from './incident-page.module.css';
import { useFieldText } from './use-field-text.ts';
import type { SaveConflict } from './use-save-incident.ts';

type Props = {
  conflict: SaveConflict;
  isPending: boolean;
  onSave(draft: Draft): void;
  onTakeTheirs(): void;
  onClose(): void;
};

/** Both versions of an incident side by side, and a choice for each field that differs. */
export function ConflictDialog({ conflict, isPending, onSave, onTakeTheirs, onClose }: Props) {
  const { incident: texts, forms, incidentFields, incidents } = useTexts();
  const textOf = useFieldText();
  const { mine } = conflict;
  const theirs = draftOf(conflict.theirs);
  const differences = compareDrafts(draftOf(conflict.base), mine, theirs);
  const [choices, setChoices] = useState<Partial<Record<DraftField, Side>>>(() =>
    Object.fromEntries(differences.map(({ field, suggested }) => [field, suggested])),
  );
  const chooseAll = (side: Side) =>
    setChoices(Object.fromEntries(differences.map(({ field }) => [field, side])));
  const labelOf = (field: DraftField) =>
    field === 'damages'
      ? incidents.damages
      : field === 'customer'
        ? texts.customer
        : incidentFields[field];
  const isDecided = differences.every(({ field }) => choices[field] !== undefined);
  const isTheirs = differences.every(({ field }) => choices[field] === 'theirs');
  return (
    <Modal
      opened
      size="xl"
      onClose={onClose}
      title={texts.conflict.title}
      closeButtonProps={{ 'aria-label': forms.close }}
    >
      <Stack gap="sm">
        <Text c="dimmed">{texts.conflict.advice}</Text>
        <Group gap="xs">
          <Button variant="default" onClick={() => chooseAll('mine')}>
            {texts.conflict.allMine}
          </Button>
          <Button variant="default" onClick={() => chooseAll('theirs')}>
            {texts.conflict.allTheirs}
          </Button>
        </Group>
        <div className={classes.versions}>
          {differences.map(({ field, suggested }) => (
            <Radio.Group
              key={field}
              label={labelOf(field)}
              description={suggested === undefined ? texts.conflict.both : undefined}
              value={choices[field] ?? null}
              onChange={(side) => setChoices({ ...choices, [field]: side as Side })}
            >
              <div className={classes.versionPair}>
                {(['mine', 'theirs'] as const).map((side) => (
                  <Radio.Card key={side} value={side} className={classes.version}>
                    <Radio.Indicator size="xs" />
                    <span className={classes.versionText}>
                      <span className={classes.versionSide}>{texts.conflict[side]}</span>
                      {textOf(field, side === 'mine' ? mine : theirs)}
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
            onClick={() => (isTheirs ? onTakeTheirs() : onSave(mergeDrafts(mine, theirs, choices)))}
          >
            {isTheirs ? texts.conflict.takeTheirs : texts.conflict.save}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
