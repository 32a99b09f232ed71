import { Button, Group, Modal, Stack } from '@mantine/core';
import { ProblemError } from '@motorpool/client';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { InlineProblem } from '../feedback/problem.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import { DiscardQuestion } from './discard-question.tsx';
import { Form } from './form.tsx';
import { useDiscardQuestion } from './use-discard-question.ts';

type Props = {
  title: string;
  /** What the button at the end does. */
  submit: string;
  /** Whether something would be lost. */
  isDirty: boolean;
  isPending: boolean;
  isDisabled?: boolean;
  /** Why the last try was refused. */
  error?: unknown;
  onSubmit(): void;
  onClose(): void;
  /** Reads the record again, when somebody else has saved first. */
  onReload?: (() => void) | undefined;
  children: ReactNode;
};

/** One column of fields; it asks before it forgets what was entered. */
export function FormDialog(props: Props) {
  const { title, submit, isDirty, isPending, isDisabled, error, onSubmit, onClose } = props;
  const { forms } = useTexts();
  const { isAsking, close, discard, stay } = useDiscardQuestion({ isDirty, isPending, onClose });
  // Somebody who goes back meanwhile would never see that it was refused.
  useBlocker({
    shouldBlockFn: ({ action }) => isPending && action !== 'PUSH' && action !== 'REPLACE',
    enableBeforeUnload: false,
  });
  const isConflict = error instanceof ProblemError && error.status === 412;
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      closeButtonProps={{ 'aria-label': forms.close, disabled: isPending }}
      closeOnClickOutside={!isDirty}
    >
      <Form refusal={error} onSubmit={() => !isPending && !isDisabled && onSubmit()}>
        <Stack gap="sm">
          {props.children}
          {error !== undefined && error !== null && <InlineProblem error={error} />}
          {isConflict && props.onReload && (
            <Button variant="default" onClick={props.onReload}>
              {forms.reload}
            </Button>
          )}
          {isAsking ? (
            <DiscardQuestion onKeep={stay} onDiscard={discard} />
          ) : (
            <Group justify="flex-end" gap="xs" mt={4}>
              <Button variant="default" onClick={close} disabled={isPending}>
                {forms.cancel}
              </Button>
              <Button type="submit" loading={isPending} disabled={isDisabled ?? false}>
                {submit}
              </Button>
            </Group>
          )}
        </Stack>
      </Form>
    </Modal>
  );
}
