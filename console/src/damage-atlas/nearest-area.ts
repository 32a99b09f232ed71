import type { PlacedArea } from './placed-areas.ts';

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

const vectors: Record<Direction, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function isDirection(key: string): key is Direction {
  return key in vectors;
}

/** The nearest area in a direction: one that lies rather ahead than aside, where there is any. */
export function nearestArea(
  areas: readonly PlacedArea[],
  from: PlacedArea,
  direction: Direction,
): PlacedArea | undefined {
  const [dx, dy] = vectors[direction];
  const candidates = areas
    .map((area) => {
      const [x, y] = [area.centre[0] - from.centre[0], area.centre[1] - from.centre[1]];
      return { area, along: x * dx + y * dy, aside: Math.abs(x * dy) + Math.abs(y * dx) };
    })
    .filter(({ along }) => along > 1)
    .sort((one, other) => one.along + 2 * one.aside - (other.along + 2 * other.aside));
  return (candidates.find(({ along, aside }) => aside <= along) ?? candidates[0])?.area;
}
