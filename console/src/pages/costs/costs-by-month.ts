import type { CostTotal } from '@motorpool/client';
import type { ChartRow, Series } from '../../charts/chart-figure.tsx';
import { majorOf } from '../../formats/currency.ts';

type Kind = NonNullable<CostTotal['kind']>;

const maxSeries = 6;
const rest = 'rest';

/** Totals by month and kind as stacked bars: the largest kinds, and the others as one. */
export function costsByMonth(
  totals: readonly CostTotal[],
  months: readonly string[],
  names: Readonly<Record<Kind, string>>,
  nameOfRest: string,
  nameOfMonth: (month: string) => string,
): { rows: ChartRow[]; series: Series[] } {
  const sums = new Map<Kind, number>();
  for (const { kind, amount } of totals) if (kind) sums.set(kind, (sums.get(kind) ?? 0) + amount);
  const kinds = [...sums].sort(([, a], [, b]) => b - a).map(([kind]) => kind);
  const shown = kinds.length > maxSeries ? kinds.slice(0, maxSeries - 1) : kinds;
  const rows = months.map((month) => {
    const values: Record<string, number> = {};
    for (const total of totals) {
      if (total.month !== month || !total.kind) continue;
      const key = shown.includes(total.kind) ? total.kind : rest;
      values[key] = (values[key] ?? 0) + majorOf(total.amount, total.currency);
    }
    return { name: nameOfMonth(month), values };
  });
  const series = shown.map((kind) => ({ key: kind as string, label: names[kind] }));
  return {
    rows,
    series: shown.length < kinds.length ? [...series, { key: rest, label: nameOfRest }] : series,
  };
}
