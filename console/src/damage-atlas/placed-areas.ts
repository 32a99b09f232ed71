import { contains, curve, flatten, type Point } from './geometry.ts';
import { type Area, areasOf, type View } from './view.ts';

export type PlacedArea = Area & {
  /** A point that is far from the edges of what can be seen of the area. */
  centre: Point;
  top: number;
  bottom: number;
};

const steps = 11;

/** The areas of a view with their places, in reading order. */
export function placedAreas(view: View): PlacedArea[] {
  const outlined = areasOf(view).map((area) => {
    const polygon = flatten(curve(area.path), 4);
    return { area, polygon, box: boxOf(polygon) };
  });
  return outlined
    .map(({ area, polygon, box }, index) => {
      const covers = outlined.slice(index + 1).filter((cover) => overlap(cover.box, box));
      const centre = poleOf(
        polygon,
        box,
        covers.map((cover) => cover.polygon),
      );
      return { ...area, centre, top: box.top, bottom: box.bottom };
    })
    .sort((one, other) => one.centre[1] - other.centre[1] || one.centre[0] - other.centre[0]);
}

/** Of points that are as far from every edge, the one nearest to the middle. */
function poleOf(polygon: readonly Point[], box: Box, covers: readonly (readonly Point[])[]): Point {
  const edges = [polygon, ...covers];
  const [middleX, middleY] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  let pole: Point = [box.left, box.top];
  let best = Number.NEGATIVE_INFINITY;
  for (let cell = 0; cell < steps * steps; cell += 1) {
    const point: Point = [
      box.left + ((box.right - box.left) * ((cell % steps) + 1)) / (steps + 1),
      box.top + ((box.bottom - box.top) * (Math.floor(cell / steps) + 1)) / (steps + 1),
    ];
    if (!contains(polygon, point) || covers.some((cover) => contains(cover, point))) continue;
    const penalty = Math.hypot(point[0] - middleX, point[1] - middleY) / 10;
    let score = Number.POSITIVE_INFINITY;
    for (const edge of edges) {
      score = Math.min(score, distanceTo(edge, point) - penalty);
      if (score <= best) break;
    }
    if (score > best) [best, pole] = [score, point];
  }
  return pole;
}

type Box = { left: number; right: number; top: number; bottom: number };

function boxOf(polygon: readonly Point[]): Box {
  const [xs, ys] = [polygon.map(([x]) => x), polygon.map(([, y]) => y)];
  return {
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  };
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.left < other.right &&
    one.right > other.left &&
    one.top < other.bottom &&
    one.bottom > other.top
  );
}

function distanceTo(polygon: readonly Point[], [x, y]: Point): number {
  let nearest = Number.POSITIVE_INFINITY;
  let from = polygon.at(-1) ?? [0, 0];
  for (const to of polygon) {
    const dx = to[0] - from[0];
    const dy = to[1] - from[1];
    const along = ((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy || 1);
    const part = Math.min(Math.max(along, 0), 1);
    const awayX = from[0] + dx * part - x;
    const awayY = from[1] + dy * part - y;
    nearest = Math.min(nearest, awayX * awayX + awayY * awayY);
    from = to;
  }
  return Math.sqrt(nearest);
}
