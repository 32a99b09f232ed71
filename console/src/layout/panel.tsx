import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './panel.module.css';

type Props = {
  title: string;
  count?: number | undefined;
  actions?: ReactNode;
  children: ReactNode;
};

/** A part of a page with a name. */
export function Panel({ title, count, actions, children }: Props) {
  return (
    <section className={classes.panel} aria-label={title}>
      <header className={classes.header}>
        <Title order={2}>{title}</Title>
        {count !== undefined && <span className={classes.count}>{count}</span>}
        <span className={classes.actions}>{actions}</span>
      </header>
      {children}
    </section>
  );
}
