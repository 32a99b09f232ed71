import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { InlineProblem } from '../feedback/problem.tsx';
import { useTexts } from '../texts/texts-provider.tsx';

type Props = {
  title: string;
  /** What is lost. */
  text: string;
  confirm: string;
  isPending: boolean;
  error?: unknown;
  onConfirm(): void;
  onClose(): void;
};

/** Mantine's role is `dialog` whatever it is given; a question must be announced as an alert. */
const markAsAlert = (content: HTMLElement | null) =>
  content?.closest('[role="dialog"]')?.setAttribute('role', 'alertdialog');

/** A question before what cannot be undone. */
export function ConfirmDialog(props: Props) {
  const { title, text, confirm, isPending, error, onConfirm, onClose } = props;
  const { forms } = useTexts();
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': forms.close }}>
      <Stack gap="sm" ref={markAsAlert}>
        <Text>{text}</Text>
        {error !== undefined && error !== null && <InlineProblem error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {forms.cancel}
          </Button>
          <Button color="red" onClick={onConfirm} loading={isPending}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
