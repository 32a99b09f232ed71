import {
  type MantineColorScheme,
  Menu,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { Icon, type IconName } from '../icons/icon.tsx';
import { useConnection } from '../session/connection.tsx';
import { languages } from '../texts/languages.ts';
import { useLocalization, useTexts } from '../texts/texts-provider.tsx';
import classes from './frame.module.css';
import { useTourStep } from './tour.tsx';

const schemes: { scheme: MantineColorScheme; icon: IconName }[] = [
  { scheme: 'light', icon: 'sun' },
  { scheme: 'dark', icon: 'moon' },
  { scheme: 'auto', icon: 'monitor' },
];

export function PersonMenu() {
  const { frame, roles, tour } = useTexts();
  const { language, choose } = useLocalization();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { session, settings } = useConnection();
  const [, setTourStep] = useTourStep();
  const { name, email, username } = session.person;
  const check = <Icon name="check" size={16} />;
  return (
    <Menu width={220} position="bottom-end">
      <Menu.Target>
        <UnstyledButton className={classes.person} aria-label={frame.person(name)}>
          <span className={classes.avatar}>{initialsOf(name)}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {name}
          </Text>
          <Text size="xs" truncate>
            {[email ?? username, session.role && roles[session.role]].filter(Boolean).join(' · ')}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>{frame.theme}</Menu.Label>
        {schemes.map(({ scheme, icon }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon name={icon} size={16} />}
            rightSection={scheme === colorScheme && check}
            onClick={() => setColorScheme(scheme)}
          >
            {frame.themes[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{frame.language}</Menu.Label>
        {languages.map((one) => (
          <Menu.Item
            key={one}
            lang={one}
            leftSection={<Icon name="languages" size={16} />}
            rightSection={one === language && check}
            onClick={() => void choose(one)}
          >
            {frame.languages[one]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {settings.isDemo && (
          <Menu.Item leftSection={<Icon name="map" size={16} />} onClick={() => setTourStep(0)}>
            {tour.again}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<Icon name="log-out" size={16} />}
          onClick={() => session.signOut()}
        >
          {frame.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/[\s.@_-]+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => word?.charAt(0).toUpperCase() ?? '')
    .join('');
}
