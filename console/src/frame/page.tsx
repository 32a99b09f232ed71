import { Group, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useTexts } from '../texts/texts-provider.tsx';
import classes from './page.module.css';

type Props = {
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  /** At the end of the line of the title. */
  actions?: ReactNode;
  /** Tables and maps take the whole height, and scroll by themselves. */
  fills?: boolean;
  children: ReactNode;
};

export function Page({ title, aside, actions, fills = false, children }: Props) {
  const { frame } = useTexts();
  useEffect(() => {
    document.title = `${title} · ${frame.product}`;
  }, [title, frame.product]);
  return (
    <div className={classes.page} data-fills={fills || undefined}>
      <header className={classes.header}>
        <Title order={1}>{title}</Title>
        {aside}
        <Group gap="xs" className={classes.actions}>
          {actions}
        </Group>
      </header>
      {children}
    </div>
  );
}
