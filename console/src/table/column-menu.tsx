import { Button, Menu } from '@mantine/core';
import { Icon } from '../icons/icon.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import type { Column } from './data-table.tsx';

type Props<Row> = {
  columns: readonly Column<Row>[];
  shown: readonly string[];
  /** Undefined for those of the page. */
  onChange(shown: string[] | undefined): void;
};

/** Which columns are shown; the first always is. */
export function ColumnMenu<Row>({ columns, shown, onChange }: Props<Row>) {
  const { table } = useTexts();
  const toggle = (id: string) =>
    onChange(shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id]);
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Button
          visibleFrom="xs"
          variant="default"
          leftSection={<Icon name="columns-3" size={16} />}
        >
          {table.columns}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {columns.slice(1).map(({ id, header }) => (
          <Menu.Item
            key={id}
            role="menuitemcheckbox"
            aria-checked={shown.includes(id)}
            leftSection={<Icon name={shown.includes(id) ? 'check' : 'minus'} size={16} />}
            onClick={() => toggle(id)}
          >
            {header}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item closeMenuOnClick onClick={() => onChange(undefined)}>
          {table.usualColumns}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
