import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts-provider.tsx';
import type { SectionName } from './sections.ts';
import classes from './settings-page.module.css';

/** The name of a section, what it is for, and its one action. */
export function SectionHeader({ name, action }: { name: SectionName; action?: ReactNode }) {
  const { settings } = useTexts();
  return (
    <header className={classes.sectionHeader}>
      <div>
        <Title order={2}>{settings.sections[name]}</Title>
        <Text c="dimmed" size="sm">
          {settings.about[name]}
        </Text>
      </div>
      {action}
    </header>
  );
}
