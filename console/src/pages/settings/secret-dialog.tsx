import { Button, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
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

/** What is shown once: it closes by its button alone. */
export function SecretDialog({ title, values, warning, onClose, children }: Props) {
  const { settings, values: texts } = useTexts();
  return (
    <Modal
      opened
      onClose={onClose}
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
        <Group justify="flex-end">
          <Button onClick={onClose}>{settings.secretStored}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
