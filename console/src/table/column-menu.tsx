import { ActionIcon, Button, Checkbox, Popover } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../icons/icon.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import classes from './column-menu.module.css';
import type { Column } from './data-table.tsx';

type Props<Row> = {
  columns: readonly Column<Row>[];
  shown: readonly string[];
  /** Undefined for those of the page. */
  onChange(shown: string[] | undefined): void;
};

/** Which columns are shown, and in which order; the first always is. */
export function ColumnMenu<Row>({ columns, shown, onChange }: Props<Row>) {
  const { table } = useTexts();
  const [dragged, setDragged] = useState<string>();
  const [first = '', ...rest] = shown;
  const hidden = columns.filter(({ id }) => !shown.includes(id));
  const headerOf = (id: string) => columns.find((column) => column.id === id)?.header ?? id;
  const move = (id: string, to: number) => {
    const others = rest.filter((one) => one !== id);
    onChange([first, ...others.toSpliced(to, 0, id)]);
  };
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button
          visibleFrom="xs"
          variant="default"
          leftSection={<Icon name="columns-3" size={16} />}
        >
          {table.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label={table.columns}>
        <ul className={classes.columns} aria-label={table.shownColumns}>
          {rest.map((id, index) => (
            <li
              key={id}
              className={classes.column}
              data-dragged={dragged === id || undefined}
              draggable
              onDragStart={() => setDragged(id)}
              onDragEnd={() => setDragged(undefined)}
              onDragOver={(event) => event.preventDefault()}
              onDragEnter={() => dragged && dragged !== id && move(dragged, index)}
            >
              <Icon name="grip-vertical" size={14} className={classes.grip} />
              <Checkbox
                size="xs"
                checked
                label={headerOf(id)}
                onChange={() => onChange(shown.filter((one) => one !== id))}
              />
              <span className={classes.spring} />
              <ActionIcon
                size="sm"
                aria-label={table.moveUp(headerOf(id))}
                disabled={index === 0}
                onClick={() => move(id, index - 1)}
              >
                <Icon name="chevron-up" size={14} />
              </ActionIcon>
              <ActionIcon
                size="sm"
                aria-label={table.moveDown(headerOf(id))}
                disabled={index === rest.length - 1}
                onClick={() => move(id, index + 1)}
              >
                <Icon name="chevron-down" size={14} />
              </ActionIcon>
            </li>
          ))}
        </ul>
        {hidden.length > 0 && (
          <ul className={classes.columns} aria-label={table.hiddenColumns}>
            {hidden.map(({ id, header }) => (
              <li key={id} className={classes.column}>
                <Checkbox
                  size="xs"
                  checked={false}
                  label={header}
                  onChange={() => onChange([...shown, id])}
                />
              </li>
            ))}
          </ul>
        )}
        <Button variant="subtle" fullWidth onClick={() => onChange(undefined)}>
          {table.usualColumns}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
