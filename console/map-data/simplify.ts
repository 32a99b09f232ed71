import type { Geometry, Position } from 'geojson';

/** Thousandths of a degree are about a hundred metres, finer than what is drawn of the data. */
const round = (degrees: number) => Math.round(degrees * 1_000) / 1_000;

/** Leaves out what lies closer to the line than the tolerance, in degrees (Douglas and Peucker). */
function simplifyLine(line: Position[], tolerance: number): Position[] {
  const kept = new Uint8Array(line.length);
  kept[0] = kept[line.length - 1] = 1;
  const parts: [number, number][] = [[0, line.length - 1]];
  for (let part = parts.pop(); part; part = parts.pop()) {
    const [first, last] = part;
    let farthest = 0;
    let index = -1;
    for (let at = first + 1; at < last; at++) {
      const distance = distanceToSegment(line[at], line[first], line[last]);
      if (distance > farthest) [farthest, index] = [distance, at];
    }
    if (farthest <= tolerance) continue;
    kept[index] = 1;
    parts.push([first, index], [index, last]);
  }
  return line
    .filter((_, at) => kept[at])
    .map(([x = 0, y = 0]) => [round(x), round(y)])
    .filter(([x, y], at, all) => at === 0 || x !== all[at - 1]?.[0] || y !== all[at - 1]?.[1]);
}

function distanceToSegment(
  [x = 0, y = 0]: Position = [],
  [ax = 0, ay = 0]: Position = [],
  [bx = 0, by = 0]: Position = [],
): number {
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const along = length === 0 ? 0 : ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length;
  const t = Math.max(0, Math.min(1, along));
  return Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay));
}

/** Rings that become too small for an area are left out; undefined when nothing is left. */
export function simplify(geometry: Geometry, tolerance: number): Geometry | undefined {
  const lines = (all: Position[][], least: number) =>
    all.map((line) => simplifyLine(line, tolerance)).filter(({ length }) => length >= least);
  switch (geometry.type) {
    case 'Point':
      return { type: 'Point', coordinates: geometry.coordinates.map(round) };
    case 'LineString':
      return { type: 'LineString', coordinates: simplifyLine(geometry.coordinates, tolerance) };
    case 'MultiLineString':
      return { type: 'MultiLineString', coordinates: lines(geometry.coordinates, 2) };
    case 'Polygon': {
      const coordinates = lines(geometry.coordinates, 4);
      return coordinates.length > 0 ? { type: 'Polygon', coordinates } : undefined;
    }
    case 'MultiPolygon': {
      const coordinates = geometry.coordinates
        .map((rings) => lines(rings, 4))
        .filter(({ length }) => length > 0);
      return coordinates.length > 0 ? { type: 'MultiPolygon', coordinates } : undefined;
    }
    default:
      return geometry;
  }
}
