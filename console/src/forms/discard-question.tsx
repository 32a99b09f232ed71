import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTexts } from '../texts/texts-provider.tsx';

type Props = {
  /** Where something else is lost than what was entered. */
  words?: { question: string; keep: string; discard: string };
  onKeep(): void;
  onDiscard(): void;
};

/** In the place of a form's buttons, before it forgets what was entered. */
export function DiscardQuestion({ words, onKeep, onDiscard }: Props) {
  const { forms } = useTexts();
  const texts = words ?? { ...forms, question: forms.discardQuestion };
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <Group justify="flex-end" gap="xs" role="alert">
      <Text size="sm" mr="auto">
        {texts.question}
      </Text>
      <Button variant="default" ref={keep} onClick={onKeep}>
        {texts.keep}
      </Button>
      <Button color="red" onClick={onDiscard}>
        {texts.discard}
      </Button>
    </Group>
  );
}
