import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTexts } from '../texts/texts-provider.tsx';

type Props = { onKeep(): void; onDiscard(): void };

/** In the place of a form's buttons, before it forgets what was entered. */
export function DiscardQuestion({ onKeep, onDiscard }: Props) {
  const { forms } = useTexts();
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <Group justify="flex-end" gap="xs" role="alert">
      <Text size="sm" mr="auto">
        {forms.discardQuestion}
      </Text>
      <Button variant="default" ref={keep} onClick={onKeep}>
        {forms.keep}
      </Button>
      <Button color="red" onClick={onDiscard}>
        {forms.discard}
      </Button>
    </Group>
  );
}
