import { type Raster, shrink, threshold } from './raster.ts';

const detectionSide = 900;
const maxDegrees = 15;
const maxPoints = 60_000;

/** By how many radians the lines of a page descend to the right: of all angles, the one whose rows differ most. */
export function findSkew(source: Raster): number {
  const factor = Math.max(1, Math.floor(Math.max(source.width, source.height) / detectionSide));
  const small = shrink(source, factor);
  const points = darkPoints(small);
  if (points.length === 0) return 0;
  const coarse = best(points, small, range(-maxDegrees, maxDegrees, 0.5));
  const degrees = best(points, small, range(coarse - 0.4, coarse + 0.4, 0.1));
  return (degrees * Math.PI) / 180;
}

function darkPoints(raster: Raster): Int32Array {
  const limit = Math.min(threshold(raster), 200);
  const dark: number[] = [];
  raster.pixels.forEach((value, index) => {
    if (value <= limit) dark.push(index);
  });
  // A page that is mostly dark has no lines to go by.
  if (dark.length > raster.pixels.length / 3) return new Int32Array(0);
  const step = Math.max(1, dark.length / maxPoints);
  return Int32Array.from({ length: Math.floor(dark.length / step) }, (_, index) => {
    return dark[Math.floor(index * step)] as number;
  });
}

function best(points: Int32Array, raster: Raster, angles: readonly number[]): number {
  const scores = angles.map((degrees) => score(points, raster, degrees));
  return angles[scores.indexOf(Math.max(...scores))] ?? 0;
}

function score(points: Int32Array, { width, height }: Raster, degrees: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const offset = Math.ceil(Math.abs(slope) * width);
  const rows = new Int32Array(height + 2 * offset + 1);
  for (const index of points) {
    const x = index % width;
    const y = (index - x) / width;
    const row = Math.round(y - x * slope) + offset;
    rows[row] = (rows[row] as number) + 1;
  }
  let sum = 0;
  for (let row = 1; row < rows.length; row++) {
    const difference = (rows[row] as number) - (rows[row - 1] as number);
    sum += difference * difference;
  }
  return sum;
}

function range(from: number, to: number, step: number): number[] {
  return Array.from(
    { length: Math.round((to - from) / step) + 1 },
    (_, index) => from + index * step,
  );
}
