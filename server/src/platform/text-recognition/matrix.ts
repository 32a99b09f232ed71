import type { Matrix } from './recognised-document.ts';

export type Point = { x: number; y: number };
export type Quadrilateral = readonly [Point, Point, Point, Point];

export const identity: Matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1];

export function multiply(a: Matrix, b: Matrix): Matrix {
  const cell = (row: number, column: number) =>
    at(a, row * 3) * at(b, column) +
    at(a, row * 3 + 1) * at(b, column + 3) +
    at(a, row * 3 + 2) * at(b, column + 6);
  return [
    cell(0, 0),
    cell(0, 1),
    cell(0, 2),
    cell(1, 0),
    cell(1, 1),
    cell(1, 2),
    cell(2, 0),
    cell(2, 1),
    cell(2, 2),
  ];
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}

export function apply([a, b, c, d, e, f, g, h, i]: Matrix, { x, y }: Point): Point {
  const w = g * x + h * y + i;
  return { x: (a * x + b * y + c) / w, y: (d * x + e * y + f) / w };
}

export function scaling(x: number, y = x): Matrix {
  return [x, 0, 0, 0, y, 0, 0, 0, 1];
}

/** About the middle of a rectangle; positive turns x towards y. */
export function rotation(radians: number, width: number, height: number): Matrix {
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  const x = width / 2;
  const y = height / 2;
  return [cos, -sin, x - cos * x + sin * y, sin, cos, y - sin * x - cos * y, 0, 0, 1];
}

/** From a page that stands a number of quarters clockwise to one that is `width` by `height`. */
export function quarterTurns(turns: number, width: number, height: number): Matrix {
  if (turns === 1) return [0, 1, 0, -1, 0, height, 0, 0, 1];
  if (turns === 2) return [-1, 0, width, 0, -1, height, 0, 0, 1];
  if (turns === 3) return [0, -1, width, 1, 0, 0, 0, 0, 1];
  return identity;
}

/** From a rectangle to a quadrilateral, whose corners go clockwise from the top left. */
export function rectangleTo(width: number, height: number, corners: Quadrilateral): Matrix {
  const [p, q, r, s] = corners;
  const dx1 = q.x - r.x;
  const dx2 = s.x - r.x;
  const dx3 = p.x - q.x + r.x - s.x;
  const dy1 = q.y - r.y;
  const dy2 = s.y - r.y;
  const dy3 = p.y - q.y + r.y - s.y;
  const determinant = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / determinant;
  const h = (dx1 * dy3 - dx3 * dy1) / determinant;
  const unit: Matrix = [
    q.x - p.x + g * q.x,
    s.x - p.x + h * s.x,
    p.x,
    q.y - p.y + g * q.y,
    s.y - p.y + h * s.y,
    p.y,
    g,
    h,
    1,
  ];
  return multiply(unit, scaling(1 / width, 1 / height));
}
