import { Checkbox } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import type { Sorting } from '@motorpool/client';
import { rowSortingFeature, tableFeatures, useTable } from '@tanstack/react-table';
import { type MouseEvent, type ReactNode, useMemo, useRef } from 'react';
import { Bone, Delayed } from '../feedback/skeleton.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import classes from './data-table.module.css';
import { HeaderCell } from './header-cell.tsx';

export type Column<Row> = {
  /** Its name in the address. */
  id: string;
  header: string;
  cell(row: Row): ReactNode;
  /** The plain value, for a file. */
  csv(row: Row): string | number | boolean | undefined;
  /** By which the service sorts; without one it cannot be sorted by. */
  sortField?: string;
  /** By which the service filters. */
  filterField?: string;
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
  /** What the menu of a column does beside sorting; without it, columns have no menu. */
  columnActions?: ColumnActions;
  /** Rows that are chosen for what is done with many; without it, none can be. */
  selection?: Selection<Row>;
};

export type ColumnActions = {
  onFilter(field: string): void;
  onHide(id: string): void;
  onMove(id: string, step: number): void;
};

type Selection<Row> = {
  selected: { has(id: string): boolean };
  onSelect(rows: readonly Row[], isSelected: boolean): void;
};

const features = tableFeatures({ rowSortingFeature });
const noRows: never[] = [];
const skeletonRows = [...'abcdefghijkl'];
const phone = '(max-width: 640px)';
const selectionWidth = 48;

/** Rows of one height under a header that stays; the service searches, sorts and counts. */
export function DataTable<Row extends object>(props: Props<Row>) {
  const { columns, shown, rows, sorting, onSort, idOf, label, isStale, selection } = props;
  const { table: texts } = useTexts();
  const isPhone = useMediaQuery(phone, undefined, { getInitialValueInEffect: false });
  const container = useRef<HTMLDivElement>(null);
  useHotkeys([
    ['j', () => moveFocus(container.current, 1)],
    ['k', () => moveFocus(container.current, -1)],
    ['x', () => toggleFocused()],
  ]);
  const lastSelected = useRef<string>(undefined);
  const isSelected = (row: Row) => selection?.selected.has(idOf(row)) ?? false;
  /** With Shift, all from the last one on. */
  const toggle = (row: Row, isExtending: boolean) => {
    const all = rows ?? [];
    const from = isExtending ? all.findIndex((one) => idOf(one) === lastSelected.current) : -1;
    const to = all.indexOf(row);
    const range = from < 0 ? [row] : all.slice(Math.min(from, to), Math.max(from, to) + 1);
    lastSelected.current = idOf(row);
    selection?.onSelect(range, !isSelected(row));
  };
  const toggleFocused = () => {
    const id = document.activeElement?.closest<HTMLElement>('[data-id]')?.dataset.id;
    const row = rows?.find((one) => idOf(one) === id);
    if (row) toggle(row, false);
  };
  const checkbox = (row: Row) =>
    selection && (
      <Checkbox
        size={isPhone ? 'md' : 'xs'}
        aria-label={texts.selectRow(idOf(row))}
        checked={isSelected(row)}
        onChange={({ nativeEvent }) => toggle(row, (nativeEvent as PointerEvent).shiftKey)}
      />
    );
  const isAllSelected = rows !== undefined && rows.length > 0 && rows.every(isSelected);
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
    state: { sorting: tableSorting },
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
            rows.map((row) => (
              <li key={idOf(row)} data-id={idOf(row)} data-selected={isSelected(row) || undefined}>
                {checkbox(row)}
                {props.compact(row)}
              </li>
            ))
          )}
        </ul>
      </div>
    );
  const visible = shown.filter((id) => byId.has(id));
  const minWidth = visible.reduce(
    (sum, id) => sum + (byId.get(id)?.width ?? 0),
    selection ? selectionWidth : 0,
  );
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
        data-selectable={selection !== undefined || undefined}
        style={{ minWidth }}
        aria-busy={rows === undefined || isStale}
      >
        <colgroup>
          {selection && <col style={{ width: selectionWidth }} />}
          {visible.map((id) => (
            <col
              key={id}
              style={{ width: byId.get(id)?.grows ? undefined : byId.get(id)?.width }}
            />
          ))}
        </colgroup>
        <thead>
          <tr>
            {selection && (
              <td>
                <Checkbox
                  size="xs"
                  aria-label={texts.selectPage}
                  checked={isAllSelected}
                  indeterminate={!isAllSelected && rows?.some(isSelected) === true}
                  onChange={() => selection.onSelect(rows ?? [], !isAllSelected)}
                />
              </td>
            )}
            {visible.map((id, index) => (
              <HeaderCell
                key={id}
                column={byId.get(id) as Column<Row>}
                direction={table.getColumn(id)?.getIsSorted() || undefined}
                rank={tableSorting.length > 1 ? table.getColumn(id)?.getSortIndex() : undefined}
                isSorted={tableSorting.length > 0}
                place={index === 0 ? 'first' : index === 1 ? 'second' : 'other'}
                isLast={index === visible.length - 1}
                actions={props.columnActions}
                onToggle={(isMulti) => table.getColumn(id)?.toggleSorting(undefined, isMulti)}
                onSort={(isDescending, isMulti) =>
                  table.getColumn(id)?.toggleSorting(isDescending, isMulti)
                }
                onUnsort={() => table.getColumn(id)?.clearSorting()}
              />
            ))}
          </tr>
        </thead>
        <tbody data-stale={isStale || undefined}>
          {rows === undefined ? (
            <Delayed>
              {skeletonRows.map((key) => (
                <tr key={key}>
                  {selection && <td />}
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
              <tr
                key={rowId}
                data-id={rowId}
                data-selected={isSelected(original) || undefined}
                onClick={(event) => openRow(event, () => props.onOpen(original))}
              >
                {selection && <td>{checkbox(original)}</td>}
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

/** A click on a row opens it, unless it is one on something in it or selects text. */
function openRow(event: MouseEvent, open: () => void): void {
  const isControl = (event.target as Element).closest('a, button, input, label');
  if (!isControl && getSelection()?.isCollapsed !== false) open();
}

export function moveFocus(container: HTMLElement | null, step: number): void {
  const links = [...(container?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const current = links.indexOf(document.activeElement as HTMLElement);
  const next = links[Math.max(0, Math.min(links.length - 1, current + step))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
