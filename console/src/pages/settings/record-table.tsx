import type { CSSProperties, ReactNode } from 'react';
import { Problem } from '../../feedback/problem.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import cards from '../../table/card-rows.module.css';
import classes from './record-table.module.css';

export type RecordColumn<Row> = {
  header: string;
  cell(row: Row): ReactNode;
  width?: number | string;
  isNumeric?: boolean;
};

type Props<Row> = {
  label: string;
  columns: readonly RecordColumn<Row>[];
  /** Undefined while they are loading. */
  rows: readonly Row[] | undefined;
  idOf(row: Row): string;
  /** At the end of a row. */
  actions?: ((row: Row) => ReactNode) | undefined;
  error?: unknown;
  onRetry(): void;
  /** In the place of no rows. */
  empty: ReactNode;
  isStale?: boolean;
};

const skeletonRows = [...'abc'];
/** Of a column whose width is what the others leave. */
const leastColumnWidth = 150;

function leastWidth(columns: readonly { width?: number | string }[]): number {
  return columns.reduce((sum, { width }) => sum + (Number(width) || leastColumnWidth), 0);
}

/** A list of records that is short, or read page by page; on a phone each row is a card. */
export function RecordTable<Row>(props: Props<Row>) {
  const { label, columns, rows, idOf, actions, error, onRetry, empty, isStale = false } = props;
  if (error && !rows) return <Problem error={error} onRetry={onRetry} />;
  if (rows?.length === 0) return <div className={classes.card}>{empty}</div>;
  return (
    <div className={classes.card}>
      <table
        className={`${classes.table} ${cards.cardRows}`}
        style={{ '--least-width': `${leastWidth(columns)}px` } as CSSProperties}
        aria-label={label}
        aria-busy={rows === undefined || isStale}
      >
        <colgroup>
          {columns.map(({ header, width }) => (
            <col key={header} style={{ width }} />
          ))}
          {actions && <col style={{ width: 52 }} />}
        </colgroup>
        <thead>
          <tr>
            {columns.map(({ header, isNumeric }) => (
              <th key={header} scope="col" data-numeric={isNumeric || undefined}>
                {header}
              </th>
            ))}
            {actions && <td />}
          </tr>
        </thead>
        <tbody data-stale={isStale || undefined}>
          {rows === undefined ? (
            <Delayed>
              {skeletonRows.map((key) => (
                <tr key={key}>
                  {columns.map(({ header }) => (
                    <td key={header}>
                      <Bone width="60%" />
                    </td>
                  ))}
                  {actions && <td />}
                </tr>
              ))}
            </Delayed>
          ) : (
            rows.map((row) => (
              <tr key={idOf(row)}>
                {columns.map(({ header, cell, isNumeric }) => (
                  <td key={header} data-label={header} data-numeric={isNumeric || undefined}>
                    {cell(row)}
                  </td>
                ))}
                {actions && <td data-actions>{actions(row)}</td>}
              </tr>
            ))
          )}
        </tbody>
      </table>
    </div>
  );
}
