import type { Point, Quadrilateral } from './matrix.ts';
import { type Raster, shrink, threshold } from './raster.ts';

const detectionSide = 420;
// Of the picture, that a sheet covers at least; and of the sheet, that has to be bright.
const minShare = 0.2;
const maxShare = 0.97;
const minFilled = 0.88;

/** The corners of a bright sheet on a darker ground, clockwise from the top left; undefined where the picture is the page. */
export function findPageOutline(source: Raster): Quadrilateral | undefined {
  const factor = Math.max(1, Math.floor(Math.max(source.width, source.height) / detectionSide));
  const small = shrink(source, factor);
  const sheet = largestBrightRegion(small);
  if (!sheet) return undefined;
  const corners = simplify(convexHull(sheet.points));
  if (!corners) return undefined;
  const share = area(corners) / (small.width * small.height);
  const filled = sheet.size / area(corners);
  if (share < minShare || share > maxShare || filled < minFilled) return undefined;
  return fromTopLeft(corners.map(({ x, y }) => ({ x: (x + 0.5) * factor, y: (y + 0.5) * factor })));
}

type Region = { size: number; points: Point[] };

/** The region of bright pixels that is largest with its holes ignored, and the ends of its rows. */
function largestBrightRegion(raster: Raster): Region | undefined {
  const { width, height, pixels } = raster;
  const limit = threshold(raster);
  const labels = new Int32Array(width * height);
  let largest = { label: 0, size: 0 };
  let label = 0;
  const open: number[] = [];
  for (let start = 0; start < pixels.length; start++) {
    if (labels[start] !== 0 || (pixels[start] as number) <= limit) continue;
    label++;
    let size = 0;
    labels[start] = label;
    open.push(start);
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      size++;
      const x = index % width;
      for (const next of [
        x > 0 ? index - 1 : -1,
        x < width - 1 ? index + 1 : -1,
        index - width,
        index + width,
      ]) {
        if (next < 0 || next >= pixels.length || labels[next] !== 0) continue;
        if ((pixels[next] as number) <= limit) continue;
        labels[next] = label;
        open.push(next);
      }
    }
    if (size > largest.size) largest = { label, size };
  }
  if (largest.size === 0) return undefined;
  const points: Point[] = [];
  let covered = 0;
  for (let y = 0; y < height; y++) {
    const row = labels.subarray(y * width, (y + 1) * width);
    const first = row.indexOf(largest.label);
    if (first < 0) continue;
    const last = row.lastIndexOf(largest.label);
    points.push({ x: first, y }, { x: last, y });
    covered += last - first + 1;
  }
  return { size: covered, points };
}

/** Clockwise on a screen, by the monotone chain. */
function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (ordered: readonly Point[]) => {
    const chain: Point[] = [];
    for (const point of ordered) {
      while (chain.length >= 2 && turn(chain.at(-2), chain.at(-1), point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

function turn(a: Point | undefined, b: Point | undefined, c: Point): number {
  if (!a || !b) return 0;
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/** Drops the corner that matters least until four are left. */
function simplify(hull: readonly Point[]): Point[] | undefined {
  const corners = [...hull];
  while (corners.length > 4) {
    const weights = corners.map((corner, index) =>
      Math.abs(turn(corners.at(index - 1), corner, corners[(index + 1) % corners.length] as Point)),
    );
    corners.splice(weights.indexOf(Math.min(...weights)), 1);
  }
  return corners.length === 4 ? corners : undefined;
}

function area(corners: readonly Point[]): number {
  const doubled = corners.reduce((sum, { x, y }, index) => {
    const next = corners[(index + 1) % corners.length] as Point;
    return sum + x * next.y - next.x * y;
  }, 0);
  return Math.abs(doubled) / 2;
}

function fromTopLeft(corners: readonly Point[]): Quadrilateral {
  const sums = corners.map(({ x, y }) => x + y);
  const first = sums.indexOf(Math.min(...sums));
  const [a, b, c, d] = [...corners.slice(first), ...corners.slice(0, first)] as [
    Point,
    Point,
    Point,
    Point,
  ];
  return [a, b, c, d];
}
