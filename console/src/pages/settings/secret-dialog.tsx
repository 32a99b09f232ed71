import { Button, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { DiscardQuestion } from '../../forms/discard-question.tsx';
import { Icon } from '../../icons/icon.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import classes from './settings-page.module.css';

type Props = {
  title: string;
  values: readonly { label: string; value: string }[];
  /** Why it has to be stored now. */
  warning: string;
  onClose(): void;
  children?: ReactNode;
};

/** What is shown once: it closes by its button alone, and asks before the page is left. */
export function SecretDialog({ title, values, warning, onClose, children }: Props) {
  const { settings, values: texts } = useTexts();
  const isStored = useRef(false);
  const wouldBeLost = () => !isStored.current;
  const blocker = useBlocker({
    shouldBlockFn: wouldBeLost,
    enableBeforeUnload: wouldBeLost,
    withResolver: true,
  });
  const close = () => {
    isStored.current = true;
    onClose();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="sm">
        <div className={classes.warning} role="alert">
          <Icon name="triangle-alert" size={16} />
          <span>{warning}</span>
        </div>
        {values.map(({ label, value }) => (
          <div key={label}>
            <Text size="xs" fw={500} mb={4}>
              {label}
            </Text>
            <div className={classes.secret}>
              <span>{value}</span>
              <CopyButton value={value}>
                {({ copied, copy }) => (
                  <Button
                    variant="default"
                    onClick={copy}
                    leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
                    aria-label={`${settings.copySecret}: ${label}`}
                  >
                    {copied ? texts.copied : settings.copySecret}
                  </Button>
                )}
              </CopyButton>
            </div>
          </div>
        ))}
        {children}
        {blocker.status === 'blocked' ? (
          <DiscardQuestion
            words={settings.leaveSecret}
            onKeep={blocker.reset}
            onDiscard={blocker.proceed}
          />
        ) : (
          <Group justify="flex-end">
            <Button onClick={close}>{settings.secretStored}</Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}
