import { UnstyledButton } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import type { Sorting } from '@motorpool/client';
import {
  columnOrderingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type MouseEvent, type ReactNode, useMemo, useRef } from 'react';
import { Bone, Delayed } from '../feedback/skeleton.tsx';
import { Icon } from '../icons/icon.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import classes from './data-table.module.css';

export type Column<Row> = {
  /** Its name in the address. */
  id: string;
  header: string;
  cell(row: Row): ReactNode;
  /** The plain value, for a file. */
  csv(row: Row): string | number | boolean | undefined;
  /** By which the service sorts; without one it cannot be sorted by. */
  sortField?: string;
  isNumeric?: boolean;
  /** In pixels; of one that grows, the least. */
  width: number;
  /** Takes the width that is left. */
  grows?: boolean;
};

type Props<Row> = {
  /** Names the table for readers of the screen. */
  label: string;
  columns: readonly Column<Row>[];
  /** The ids of the columns that are shown, in order; the first stays in place. */
  shown: readonly string[];
  /** Undefined while they are loading. */
  rows: readonly Row[] | undefined;
  idOf(row: Row): string;
  sorting: readonly Sorting[];
  onSort(sorting: Sorting[]): void;
  onOpen(row: Row): void;
  /** A row on a phone: two lines. */
  compact(row: Row): ReactNode;
  /** Whether the rows are of what was asked for before. */
  isStale: boolean;
};

const features = tableFeatures({
  columnOrderingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
});
const noRows: never[] = [];
const skeletonRows = [...'abcdefghijkl'];
const phone = '(max-width: 640px)';

/** Rows of one height under a header that stays; the service searches, sorts and counts. */
export function DataTable<Row extends object>(props: Props<Row>) {
  const { columns, shown, rows, sorting, onSort, idOf, label, isStale } = props;
  const isPhone = useMediaQuery(phone, undefined, { getInitialValueInEffect: false });
  const container = useRef<HTMLDivElement>(null);
  useHotkeys([
    ['j', () => moveFocus(container.current, 1)],
    ['k', () => moveFocus(container.current, -1)],
  ]);
  const definitions = useMemo(
    () =>
      columns.map(({ id, header, sortField }) => ({
        id,
        header,
        accessorFn: () => undefined,
        enableSorting: sortField !== undefined,
      })),
    [columns],
  );
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const fieldOf = (id: string) => byId.get(id)?.sortField ?? id;
  const idOfField = (field: string) =>
    columns.find(({ sortField }) => sortField === field)?.id ?? field;
  const tableSorting = sorting.map(({ field, direction }) => ({
    id: idOfField(field),
    desc: direction === 'desc',
  }));
  const table = useTable({
    features,
    columns: definitions,
    data: (rows as Row[] | undefined) ?? noRows,
    getRowId: idOf,
    manualSorting: true,
    sortDescFirst: false,
    state: {
      sorting: tableSorting,
      columnOrder: [...shown],
      columnVisibility: Object.fromEntries(columns.map(({ id }) => [id, shown.includes(id)])),
    },
    onSortingChange: (change) => {
      const next = typeof change === 'function' ? change(tableSorting) : change;
      onSort(
        next.map(({ id, desc }) => ({ field: fieldOf(id), direction: desc ? 'desc' : 'asc' })),
      );
    },
  });
  if (isPhone)
    return (
      <div className={classes.container} ref={container} data-scroll-restoration-id="table">
        <ul className={classes.list} aria-label={label} aria-busy={rows === undefined || isStale}>
          {rows === undefined ? (
            <Delayed>
              {skeletonRows.map((key) => (
                <li key={key}>
                  <Bone width="60%" />
                </li>
              ))}
            </Delayed>
          ) : (
            rows.map((row) => <li key={idOf(row)}>{props.compact(row)}</li>)
          )}
        </ul>
      </div>
    );
  const visible = table.getVisibleFlatColumns().map(({ id }) => id);
  const minWidth = visible.reduce((sum, id) => sum + (byId.get(id)?.width ?? 0), 0);
  return (
    <section
      className={classes.container}
      ref={container}
      // Scrolled with the keys of the arrows, too.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: WCAG 2.1.1 asks for it where content scrolls
      tabIndex={0}
      aria-label={label}
      data-scroll-restoration-id="table"
    >
      <table
        className={classes.table}
        style={{ minWidth }}
        aria-busy={rows === undefined || isStale}
      >
        <colgroup>
          {visible.map((id) => (
            <col
              key={id}
              style={{ width: byId.get(id)?.grows ? undefined : byId.get(id)?.width }}
            />
          ))}
        </colgroup>
        <thead>
          <tr>
            {visible.map((id) => (
              <HeaderCell
                key={id}
                column={byId.get(id) as Column<Row>}
                direction={table.getColumn(id)?.getIsSorted() || undefined}
                onToggle={(isMulti) => table.getColumn(id)?.toggleSorting(undefined, isMulti)}
              />
            ))}
          </tr>
        </thead>
        <tbody data-stale={isStale || undefined}>
          {rows === undefined ? (
            <Delayed>
              {skeletonRows.map((key) => (
                <tr key={key}>
                  {visible.map((id) => (
                    <td key={id}>
                      <Bone width="70%" />
                    </td>
                  ))}
                </tr>
              ))}
            </Delayed>
          ) : (
            table.getRowModel().rows.map(({ id: rowId, original }) => (
              <tr key={rowId} onClick={(event) => openRow(event, () => props.onOpen(original))}>
                {visible.map((id) => (
                  <td key={id} data-numeric={byId.get(id)?.isNumeric || undefined}>
                    {byId.get(id)?.cell(original)}
                  </td>
                ))}
              </tr>
            ))
          )}
        </tbody>
      </table>
    </section>
  );
}

type HeaderProps<Row> = {
  column: Column<Row>;
  direction: 'asc' | 'desc' | undefined;
  onToggle(isMulti: boolean): void;
};

function HeaderCell<Row>({ column, direction, onToggle }: HeaderProps<Row>) {
  const { table } = useTexts();
  const { header, isNumeric, sortField } = column;
  if (sortField === undefined)
    return (
      <th scope="col" data-numeric={isNumeric || undefined}>
        {header}
      </th>
    );
  const ariaSort = direction && (direction === 'asc' ? 'ascending' : 'descending');
  return (
    <th scope="col" aria-sort={ariaSort} data-numeric={isNumeric || undefined}>
      <UnstyledButton
        className={classes.sort}
        onClick={(event) => onToggle(event.shiftKey)}
        title={table.sortHint}
      >
        {header}
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
      </UnstyledButton>
    </th>
  );
}

/** A click on a row opens it, unless it is one on something in it or selects text. */
function openRow(event: MouseEvent, open: () => void): void {
  const isControl = (event.target as Element).closest('a, button, input');
  if (!isControl && getSelection()?.isCollapsed !== false) open();
}

export function moveFocus(container: HTMLElement | null, step: number): void {
  const links = [...(container?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const current = links.indexOf(document.activeElement as HTMLElement);
  const next = links[Math.max(0, Math.min(links.length - 1, current + step))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
