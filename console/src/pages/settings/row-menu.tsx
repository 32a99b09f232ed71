import { ActionIcon, Menu } from '@mantine/core';
import { Icon, type IconName } from '../../icons/icon.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';

export type MenuAction = { label: string; icon: IconName; isDangerous?: boolean; run(): void };

/** What can be done with a record. */
export function RowMenu({ name, items }: { name: string; items: readonly (MenuAction | false)[] }) {
  const { settings } = useTexts();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={settings.actions(name)}>
          <Icon name="ellipsis" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items
          .filter((item) => item !== false)
          .map(({ label, icon, isDangerous = false, run }) => (
            <Menu.Item
              key={label}
              leftSection={<Icon name={icon} size={16} />}
              onClick={run}
              {...(isDangerous && { c: 'var(--state-danger)' })}
            >
              {label}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
