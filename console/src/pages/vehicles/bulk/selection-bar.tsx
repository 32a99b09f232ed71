import { Button, CloseButton, Group, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import type { FindVehiclesRequest, Vehicle } from '@motorpool/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyProblem } from '../../../feedback/notify.ts';
import { Icon } from '../../../icons/icon.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import classes from './bulk.module.css';
import { type BulkAction, bulkActions, bulkIcons } from './bulk-actions.ts';
import { BulkDialog } from './bulk-dialog.tsx';

const maxSelected = 1_000;

type Props = {
  selected: ReadonlyMap<string, Vehicle>;
  /** What the table shows, for the selection of all that match. */
  request: FindVehiclesRequest;
  total: number;
  onSelect(vehicles: readonly Vehicle[]): void;
  /** Only these stay selected. */
  onKeep(vehicles: readonly Vehicle[]): void;
};

/** What can be done with the vehicles that are selected. */
export function SelectionBar({ selected, request, total, onSelect, onKeep }: Props) {
  const texts = useTexts();
  const { bulk: words } = texts;
  const formats = useFormats();
  const fleet = useFleet();
  const [action, setAction] = useState<BulkAction>();
  const clear = () => onKeep([]);
  // Captured before the dialog, which the same key closes: it would clear the selection as well.
  useWindowEvent(
    'keydown',
    ({ key, target }) => {
      if (key === 'Escape' && !action && !isField(target)) clear();
    },
    { capture: true },
  );
  const all = useMutation({
    mutationFn: () =>
      fleet.vehicles.find({ ...request, pagination: { pageSize: maxSelected } }).page(),
    onSuccess: ({ items }) => onSelect(items),
    onError: (error) => notifyProblem(error, texts),
  });
  const { size } = selected;
  const selectable = Math.min(total, maxSelected);
  return (
    <section className={classes.bar} aria-label={words.selection}>
      <Text fw={500} aria-live="polite">
        {words.selected(formats.number(size))}
      </Text>
      {size < selectable && (
        <Button variant="subtle" loading={all.isPending} onClick={() => all.mutate()}>
          {words.selectAll(formats.number(selectable))}
        </Button>
      )}
      <Group gap="xs" className={classes.actions}>
        {bulkActions.map((one) => (
          <Button
            key={one}
            variant="default"
            leftSection={<Icon name={bulkIcons[one]} size={16} />}
            onClick={() => setAction(one)}
          >
            {words[one]}
          </Button>
        ))}
      </Group>
      <CloseButton aria-label={words.clear} onClick={clear} />
      {action && (
        <BulkDialog
          action={action}
          vehicles={[...selected.values()]}
          onClose={(notDone) => {
            setAction(undefined);
            onKeep(notDone);
          }}
        />
      )}
    </section>
  );
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input, textarea, select');
