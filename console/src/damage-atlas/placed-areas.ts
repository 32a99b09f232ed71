import { contains, curve, flatten, type Point } from './geometry.ts';
import { type Area, areasOf, type View } from './view.ts';

export type PlacedArea = Area & {
  /** The point that is farthest from the edge of what can be seen of the area. */
  centre: Point;
  top: number;
};

const steps = 24;

/** The areas of a view with their places, in reading order. */
export function placedAreas(view: View): PlacedArea[] {
  const areas = areasOf(view);
  const polygons = areas.map((one) => flatten(curve(one.path), 6));
  return areas
    .map((one, index) => {
      const polygon = polygons[index] ?? [];
      const [xs, ys] = [polygon.map(([x]) => x), polygon.map(([, y]) => y)];
      const [left, right, top, bottom] = [
        Math.min(...xs),
        Math.max(...xs),
        Math.min(...ys),
        Math.max(...ys),
      ];
      const covers = polygons
        .slice(index + 1)
        .filter(
          (cover) =>
            cover.some(([x, y]) => x > left && x < right && y > top && y < bottom) ||
            contains(cover, [(left + right) / 2, (top + bottom) / 2]),
        );
      const edges = [polygon, ...covers];
      let centre: Point = [left, top];
      let best = 0;
      for (let row = 1; row < steps; row += 1) {
        for (let column = 1; column < steps; column += 1) {
          const point: Point = [
            left + ((right - left) * column) / steps,
            top + ((bottom - top) * row) / steps,
          ];
          if (!contains(polygon, point) || covers.some((cover) => contains(cover, point))) continue;
          const distance = Math.min(...edges.map((edge) => distanceTo(edge, point)));
          if (distance > best) [best, centre] = [distance, point];
        }
      }
      return { ...one, centre, top };
    })
    .sort((one, other) => one.centre[1] - other.centre[1] || one.centre[0] - other.centre[0]);
}

function distanceTo(polygon: readonly Point[], [x, y]: Point): number {
  return Math.min(...polygon.map(([cornerX, cornerY]) => Math.hypot(cornerX - x, cornerY - y)));
}
