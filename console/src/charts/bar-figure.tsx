import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import { type ChartData, ChartFigure, seriesColor } from './chart-figure.tsx';

type Props = {
  data: ChartData;
  height?: number;
  /** Beside the axis, where room is short. */
  formatTick?: (value: number) => string;
};

/** Amounts as bars; several series are stacked. */
export function BarFigure({ data, height = 240, formatTick = data.format }: Props) {
  const { rows, series, format } = data;
  return (
    <ChartFigure data={data}>
      <BarChart
        h={height}
        data={rows.map(({ name, values }) => ({ name, ...values }))}
        dataKey="name"
        type={series.length > 1 ? 'stacked' : 'default'}
        series={series.map(({ key, label }, index) => ({
          name: key,
          label,
          color: seriesColor(index),
        }))}
        valueFormatter={format}
        withLegend={series.length > 1}
        legendProps={{ verticalAlign: 'bottom' }}
        tickLine="none"
        gridAxis="x"
        yAxisProps={{ width: 64, tickFormatter: formatTick }}
        xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 12 }}
        maxBarWidth={44}
        barChartProps={{ accessibilityLayer: false, margin: { top: 12 } }}
        barProps={{ isAnimationActive: false }}
      />
    </ChartFigure>
  );
}
