import { ActionIcon, Tooltip } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Icon } from '../icons/icon.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import classes from './charts.module.css';

export type Series = { key: string; label: string };
export type ChartRow = { name: string; values: Readonly<Record<string, number>> };

export type ChartData = {
  /** What the chart shows. */
  label: string;
  /** What the rows are, such as months. */
  axis: string;
  rows: readonly ChartRow[];
  series: readonly Series[];
  format(value: number): string;
};

/** Colours of series: they mean no state. */
export const seriesColor = (index: number): string => `var(--chart-${(index % 6) + 1})`;

/** A chart, which is also a table: always for readers of the screen, and on demand for everybody. */
export function ChartFigure({ data, children }: { data: ChartData; children: ReactNode }) {
  const { charts } = useTexts();
  const [isTable, setIsTable] = useState(false);
  const { label, axis, rows, series, format } = data;
  return (
    <figure className={classes.figure} aria-label={label}>
      <Tooltip label={isTable ? charts.asChart : charts.asTable}>
        <ActionIcon
          className={classes.toggle}
          size="sm"
          aria-pressed={isTable}
          aria-label={`${label}: ${charts.asTable}`}
          onClick={() => setIsTable(!isTable)}
        >
          <Icon name={isTable ? 'chart-column' : 'table-2'} size={15} />
        </ActionIcon>
      </Tooltip>
      {!isTable && (
        <div className={classes.chart} aria-hidden="true">
          {children}
        </div>
      )}
      <div className={isTable ? classes.tableBox : classes.hidden}>
        <table className={classes.table}>
          <caption className={classes.hidden}>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{axis}</th>
              {series.map(({ key, label: name }) => (
                <th key={key} scope="col" data-numeric>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, values }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {series.map(({ key }) => (
                  <td key={key} data-numeric>
                    {values[key] === undefined ? '' : format(values[key])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
