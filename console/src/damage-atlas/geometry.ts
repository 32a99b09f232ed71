export type Point = readonly [x: number, y: number];
type Cubic = readonly [Point, Point, Point, Point];
/** A curve of cubic Béziers, each of which begins where the one before ends. */
export type Curve = readonly Cubic[];

/** Reads the absolute commands M, L, C and Z of SVG path data. */
export function curve(path: string): Curve {
  const cubics: Cubic[] = [];
  let start: Point = [0, 0];
  let last: Point = start;
  for (const [, command, text] of path.matchAll(/([MLCZ])([^MLCZ]*)/g)) {
    const numbers = (text ?? '').match(/-?[\d.]+/g)?.map(Number) ?? [];
    const points = pairs(numbers);
    if (command === 'M') start = last = points[0] ?? start;
    if (command === 'Z') points.push(start);
    if (command === 'L' || command === 'Z') {
      for (const point of points) {
        if (point[0] !== last[0] || point[1] !== last[1]) cubics.push(line(last, point));
        last = point;
      }
    }
    if (command === 'C') {
      for (let index = 0; index + 2 < points.length; index += 3) {
        const [first, second, end] = points.slice(index, index + 3) as [Point, Point, Point];
        cubics.push([last, first, second, end]);
        last = end;
      }
    }
  }
  return cubics;
}

/** The path around a region whose edges, in order, each cross the next and the last the first. */
export function region(...edges: Curve[]): string {
  const corners = edges.map((edge, index) =>
    crossing(edge, edges[(index + 1) % edges.length] ?? edge),
  );
  const pieces = edges.flatMap((edge, index) => {
    const from = corners.at(index - 1)?.[1] ?? 0;
    return between(edge, from, corners[index]?.[0] ?? 0);
  });
  return `${pathOf(pieces)}Z`;
}

/** The path along an edge from where it crosses one curve to where it crosses another. */
export function stretch(edge: Curve, from: Curve, to: Curve): string {
  return pathOf(between(edge, crossing(from, edge)[1], crossing(to, edge)[1]));
}

function pathOf(pieces: Curve): string {
  const [x, y] = pieces[0]?.[0] ?? [0, 0];
  return `M${round(x)} ${round(y)}${pieces.map(([, ...rest]) => `C${rest.map(pair).join(' ')}`).join('')}`;
}

/** The same path on the other side of a drawing that is so wide. */
export function mirrored(path: string, width: number): string {
  let isX = false;
  return path.replaceAll(/-?[\d.]+|[MLCZ]/g, (token) => {
    if (/[MLCZ]/.test(token)) {
      isX = false;
      return token;
    }
    isX = !isX;
    return isX ? String(round(width - Number(token))) : token;
  });
}

export function flipped(pieces: Curve, width: number): Curve {
  return curve(mirrored(pathOf(pieces), width));
}

/** The closed path of a half that begins and ends on the axis of a drawing that is so wide, and of its mirror image. */
export function symmetric(half: Curve, width: number): string {
  return `${pathOf([...half, ...backwards(flipped(half, width))])}Z`;
}

export function circle(x: number, y: number, radius: number): string {
  return ellipse(x, y, radius, radius);
}

export function ellipse(x: number, y: number, rx: number, ry: number): string {
  const [kx, ky] = [rx * 0.5523, ry * 0.5523];
  return (
    `M${x} ${y - ry}C${x + kx} ${y - ry} ${x + rx} ${y - ky} ${x + rx} ${y}` +
    `C${x + rx} ${y + ky} ${x + kx} ${y + ry} ${x} ${y + ry}` +
    `C${x - kx} ${y + ry} ${x - rx} ${y + ky} ${x - rx} ${y}` +
    `C${x - rx} ${y - ky} ${x - kx} ${y - ry} ${x} ${y - ry}Z`
  );
}

export function roundedRectangle(
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
) {
  const [right, bottom, k] = [x + width, y + height, radius * 0.4477];
  return (
    `M${x + radius} ${y}L${right - radius} ${y}C${right - k} ${y} ${right} ${y + k} ${right} ${y + radius}` +
    `L${right} ${bottom - radius}C${right} ${bottom - k} ${right - k} ${bottom} ${right - radius} ${bottom}` +
    `L${x + radius} ${bottom}C${x + k} ${bottom} ${x} ${bottom - k} ${x} ${bottom - radius}` +
    `L${x} ${y + radius}C${x} ${y + k} ${x + k} ${y} ${x + radius} ${y}Z`
  );
}

/** The corners of a polygon that follows the curve closely. */
export function flatten(pieces: Curve, steps = 12): Point[] {
  return pieces.flatMap((cubic) =>
    Array.from({ length: steps }, (_, step) => pointAt(cubic, step / steps)),
  );
}

export function contains(polygon: readonly Point[], [x, y]: Point): boolean {
  let inside = false;
  let from = polygon.at(-1) ?? [0, 0];
  for (const to of polygon) {
    const crossesRow = to[1] > y !== from[1] > y;
    if (crossesRow && x < ((from[0] - to[0]) * (y - to[1])) / (from[1] - to[1]) + to[0]) {
      inside = !inside;
    }
    from = to;
  }
  return inside;
}

function line(from: Point, to: Point): Cubic {
  const at = (part: number): Point => [
    from[0] + (to[0] - from[0]) * part,
    from[1] + (to[1] - from[1]) * part,
  ];
  return [from, at(1 / 3), at(2 / 3), to];
}

function pointAt([a, b, c, d]: Cubic, t: number): Point {
  const s = 1 - t;
  const [wa, wb, wc, wd] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
  return [
    wa * a[0] + wb * b[0] + wc * c[0] + wd * d[0],
    wa * a[1] + wb * b[1] + wc * c[1] + wd * d[1],
  ];
}

const steps = 16;
const polylines = new WeakMap<Curve, readonly Point[]>();

function polylineOf(pieces: Curve): readonly Point[] {
  const known = polylines.get(pieces);
  if (known !== undefined) return known;
  const end = pieces.at(-1)?.[3];
  const points = [...flatten(pieces, steps), ...(end ? [end] : [])];
  polylines.set(pieces, points);
  return points;
}

/** Where two curves cross, as the places on each: the number of the cubic plus its parameter. */
function crossing(one: Curve, other: Curve): [onOne: number, onOther: number] {
  for (const [ofOne, place] of endsOf(one)) {
    for (const [ofOther, otherPlace] of endsOf(other)) {
      if (Math.hypot(ofOne[0] - ofOther[0], ofOne[1] - ofOther[1]) < 0.01)
        return [place, otherPlace];
    }
  }
  const [first, second] = [polylineOf(one), polylineOf(other)];
  let a = first[0];
  for (let i = 1; i < first.length; i += 1) {
    const b = first[i];
    let c = second[0];
    for (let j = 1; j < second.length; j += 1) {
      const d = second[j];
      const meeting = a && b && c && d && segmentsMeet(a, b, c, d);
      if (meeting) return [(i - 1 + meeting[0]) / steps, (j - 1 + meeting[1]) / steps];
      c = d;
    }
    a = b;
  }
  throw new Error(`Curves do not cross: ${pathOf(one)} and ${pathOf(other)}`);
}

function endsOf(pieces: Curve): [Point, number][] {
  return [
    [pieces[0]?.[0] ?? [0, 0], 0],
    [pieces.at(-1)?.[3] ?? [0, 0], pieces.length],
  ];
}

function segmentsMeet(a: Point, b: Point, c: Point, d: Point): [number, number] | undefined {
  const abX = b[0] - a[0];
  const abY = b[1] - a[1];
  const cdX = d[0] - c[0];
  const cdY = d[1] - c[1];
  const acX = c[0] - a[0];
  const acY = c[1] - a[1];
  const area = abX * cdY - abY * cdX;
  if (area === 0) return undefined;
  const onFirst = (acX * cdY - acY * cdX) / area;
  if (onFirst < -1e-6 || onFirst > 1 + 1e-6) return undefined;
  const onSecond = (acX * abY - acY * abX) / area;
  return onSecond < -1e-6 || onSecond > 1 + 1e-6 ? undefined : [onFirst, onSecond];
}

function backwards(pieces: Curve): Curve {
  return pieces.map(([a, b, c, d]): Cubic => [d, c, b, a]).reverse();
}

function between(pieces: Curve, from: number, to: number): Curve {
  if (from > to) {
    return backwards(between(pieces, to, from));
  }
  return pieces.flatMap((cubic, index) => {
    const [start, end] = [Math.max(from - index, 0), Math.min(to - index, 1)];
    return end - start > 1e-6 ? [part(cubic, start, end)] : [];
  });
}

function part(cubic: Cubic, from: number, to: number): Cubic {
  const at = (...[r, s, t]: [number, number, number]): Point => {
    const blossom = (axis: 0 | 1) => {
      const mix = (a: number, b: number, by: number) => a + (b - a) * by;
      const [a, b, c, d] = cubic.map((point) => point[axis]) as [number, number, number, number];
      const [ab, bc, cd] = [mix(a, b, r), mix(b, c, r), mix(c, d, r)];
      return mix(mix(ab, bc, s), mix(bc, cd, s), t);
    };
    return [blossom(0), blossom(1)];
  };
  return [at(from, from, from), at(from, from, to), at(from, to, to), at(to, to, to)];
}

function pairs(numbers: readonly number[]): Point[] {
  return Array.from({ length: numbers.length / 2 }, (_, index) => [
    numbers[index * 2] ?? 0,
    numbers[index * 2 + 1] ?? 0,
  ]);
}

const round = (value: number) => Math.round(value * 100) / 100;
const pair = ([x, y]: Point) => `${round(x)} ${round(y)}`;
