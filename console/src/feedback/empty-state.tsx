import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../icons/icon.tsx';
import classes from './feedback.module.css';

type Props = {
  icon: IconName;
  title: string;
  advice: string;
  /** Whether it stands in the place of the page, and not of a part. */
  isPage?: boolean;
  children?: ReactNode;
};

/** What will be here, and the one action that fills it. */
export function EmptyState({ icon, title, advice, isPage = false, children }: Props) {
  return (
    <Stack className={classes.message} gap="xs">
      <Icon name={icon} size={28} className={classes.emptyIcon} />
      <Title order={isPage ? 1 : 2}>{title}</Title>
      <Text c="dimmed">{advice}</Text>
      {children}
    </Stack>
  );
}
