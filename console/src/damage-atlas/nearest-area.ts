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

/** The nearest area in a direction: what lies straight ahead before what lies aside. */
export function nearestArea(
  areas: readonly PlacedArea[],
  from: PlacedArea,
  direction: Direction,
): PlacedArea | undefined {
  const [dx, dy] = vectors[direction];
  const ahead = areas.flatMap((area) => {
    const [x, y] = [area.centre[0] - from.centre[0], area.centre[1] - from.centre[1]];
    const [along, aside] = [x * dx + y * dy, Math.abs(x * dy) + Math.abs(y * dx)];
    return along > 1 ? [{ area, score: (along + 2 * aside) * (aside > along ? 2 : 1) }] : [];
  });
  return ahead.sort((one, other) => one.score - other.score)[0]?.area;
}
