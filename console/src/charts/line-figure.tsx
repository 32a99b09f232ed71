import '@mantine/charts/styles.layer.css';
import { AreaChart } from '@mantine/charts';
import { type ChartData, ChartFigure, seriesColor } from './chart-figure.tsx';

type Props = { data: ChartData; height?: number; domain?: [number, number] };

/** A value over time. */
export function LineFigure({ data, height = 220, domain }: Props) {
  const { rows, series, format } = data;
  return (
    <ChartFigure data={data}>
      <AreaChart
        h={height}
        data={rows.map(({ name, values }) => ({ name, ...values }))}
        dataKey="name"
        curveType="linear"
        withDots={false}
        series={series.map(({ key, label }, index) => ({
          name: key,
          label,
          color: seriesColor(index),
        }))}
        valueFormatter={format}
        tickLine="none"
        gridAxis="x"
        withGradient={false}
        fillOpacity={0.15}
        yAxisProps={{ width: 56, ...(domain && { domain }) }}
        xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 24 }}
        areaChartProps={{ accessibilityLayer: false, margin: { top: 12 } }}
        areaProps={{ isAnimationActive: false }}
      />
    </ChartFigure>
  );
}
