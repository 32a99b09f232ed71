import type { Position as Coordinates, Geometry } from 'geojson';
import { height, type Point, project, type SketchView, width } from './sketch-view.ts';

/** Beyond the edge, where the lines along which areas are cut are not seen. */
const margin = 4;
const edges = [
  { axis: 0, sign: 1, limit: -margin },
  { axis: 0, sign: -1, limit: width + margin },
  { axis: 1, sign: 1, limit: -margin },
  { axis: 1, sign: -1, limit: height + margin },
] as const;

type Edge = (typeof edges)[number];

const isInside = (point: Point, { axis, sign, limit }: Edge) => (point[axis] - limit) * sign >= 0;

/** The path of what a view shows of coasts or borders. */
export function outlinePath(geometry: Geometry, view: SketchView): string {
  const lines = linesOf(geometry);
  const isArea = geometry.type === 'Polygon' || geometry.type === 'MultiPolygon';
  return lines
    .map((line) => line.map(([lng = 0, lat = 0]) => project(view, { lng, lat })))
    .flatMap((line) => (isArea ? [cutArea(line)] : cutLine(line)))
    .filter(({ length }) => length > 1)
    .map((line) => `M${line.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`)
    .map((path) => (isArea ? `${path}Z` : path))
    .join('');
}

function linesOf(geometry: Geometry): Coordinates[][] {
  switch (geometry.type) {
    case 'Polygon':
    case 'MultiLineString':
      return geometry.coordinates;
    case 'MultiPolygon':
      return geometry.coordinates.flat();
    default:
      return [];
  }
}

/** What is left of a ring within the edges (Sutherland and Hodgman). */
function cutArea(ring: Point[]): Point[] {
  return edges.reduce((left, edge) => {
    const kept: Point[] = [];
    left.forEach((point, index) => {
      const before = left.at(index - 1) as Point;
      if (isInside(before, edge) !== isInside(point, edge))
        kept.push(crossing(before, point, edge));
      if (isInside(point, edge)) kept.push(point);
    });
    return kept;
  }, ring);
}

function crossing(from: Point, to: Point, { axis, limit }: Edge): Point {
  const along = (limit - from[axis]) / (to[axis] - from[axis]);
  return [from[0] + along * (to[0] - from[0]), from[1] + along * (to[1] - from[1])];
}

/** The pieces of a line that touch the view; what hangs over is not drawn. */
function cutLine(line: Point[]): Point[][] {
  const pieces: Point[][] = [[]];
  line.forEach((point, index) => {
    const isNear = [line[index - 1], point, line[index + 1]].some(
      (one) => one && edges.every((edge) => isInside(one, edge)),
    );
    if (isNear) pieces.at(-1)?.push(point);
    else if (pieces.at(-1)?.length) pieces.push([]);
  });
  return pieces;
}
