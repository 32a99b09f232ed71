import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import { Icon } from '../icons/icon.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import classes from './data-table.module.css';
import type { Column, ColumnActions } from './data-table.tsx';

type Props<Row> = {
  column: Column<Row>;
  direction: 'asc' | 'desc' | undefined;
  /** Among the columns that are sorted by, the first of which is 0. */
  rank: number | undefined;
  /** Whether the table is sorted by any column. */
  isSorted: boolean;
  /** The first stays in its place, and the second cannot go before it. */
  place: 'first' | 'second' | 'other';
  isLast: boolean;
  actions: ColumnActions | undefined;
  onToggle(isMulti: boolean): void;
  onSort(isDescending: boolean, isMulti: boolean): void;
  onUnsort(): void;
};

export function HeaderCell<Row>(props: Props<Row>) {
  const { column, direction, rank, actions, onToggle } = props;
  const { table } = useTexts();
  const { header, isNumeric, sortField } = column;
  const ariaSort = direction && (direction === 'asc' ? 'ascending' : 'descending');
  return (
    <th scope="col" aria-sort={ariaSort} data-numeric={isNumeric || undefined}>
      <span className={classes.header}>
        {sortField === undefined ? (
          <span className={classes.headerText}>{header}</span>
        ) : (
          <UnstyledButton
            className={classes.sort}
            onClick={(event) => onToggle(event.shiftKey)}
            title={table.sortHint}
          >
            <span className={classes.headerText}>{header}</span>
            <Icon
              name={
                direction === undefined
                  ? 'chevrons-up-down'
                  : direction === 'asc'
                    ? 'arrow-up'
                    : 'arrow-down'
              }
              size={14}
              className={direction === undefined ? classes.unsorted : undefined}
            />
            {direction && rank !== undefined && <sup>{rank + 1}</sup>}
          </UnstyledButton>
        )}
        {actions && <HeaderMenu {...props} actions={actions} />}
      </span>
    </th>
  );
}

function HeaderMenu<Row>(props: Props<Row> & { actions: ColumnActions }) {
  const { column, direction, isSorted, place, isLast, actions, onSort, onUnsort } = props;
  const { table } = useTexts();
  const { id, header, sortField, filterField } = column;
  const isOtherSorted = isSorted && direction === undefined;
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <ActionIcon size={20} className={classes.columnMenu} aria-label={table.columnMenu(header)}>
          <Icon name="chevron-down" size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {sortField && (
          <>
            <Menu.Item
              leftSection={<Icon name="arrow-up" size={16} />}
              onClick={() => onSort(false, false)}
            >
              {table.ascending}
            </Menu.Item>
            <Menu.Item
              leftSection={<Icon name="arrow-down" size={16} />}
              onClick={() => onSort(true, false)}
            >
              {table.descending}
            </Menu.Item>
            {isOtherSorted && (
              <Menu.Item
                leftSection={<Icon name="chevrons-up-down" size={16} />}
                onClick={() => onSort(false, true)}
              >
                {table.thenBy}
              </Menu.Item>
            )}
            {direction && (
              <Menu.Item leftSection={<Icon name="x" size={16} />} onClick={onUnsort}>
                {table.unsort}
              </Menu.Item>
            )}
            <Menu.Divider />
          </>
        )}
        {filterField && (
          <Menu.Item
            leftSection={<Icon name="funnel" size={16} />}
            onClick={() => actions.onFilter(filterField)}
          >
            {table.filterBy}
          </Menu.Item>
        )}
        {place === 'other' && (
          <Menu.Item
            leftSection={<Icon name="arrow-left" size={16} />}
            onClick={() => actions.onMove(id, -1)}
          >
            {table.moveLeft}
          </Menu.Item>
        )}
        {place !== 'first' && !isLast && (
          <Menu.Item
            leftSection={<Icon name="arrow-right" size={16} />}
            onClick={() => actions.onMove(id, 1)}
          >
            {table.moveRight}
          </Menu.Item>
        )}
        {place !== 'first' && (
          <Menu.Item
            leftSection={<Icon name="eye-off" size={16} />}
            onClick={() => actions.onHide(id)}
          >
            {table.hide}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
