import classes from './charts.module.css';

const [width, height] = [72, 20];

/** A row of numbers without axes; what they say stands beside it. */
export function SparkLine({ values }: { values: readonly number[] }) {
  const most = Math.max(1, ...values);
  const points = values.map(
    (value, index) =>
      `${(index / Math.max(1, values.length - 1)) * width},${height - 1 - (value / most) * (height - 2)}`,
  );
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
