import { type BodyType, type Shape, shapes } from './shapes.ts';

export type Paint = { top: string; bottom: string };

const slate: Paint = { top: '#a9bacb', bottom: '#66809b' };

/** The side view of a body type as SVG, without a background. */
export function drawVehicle(bodyType: BodyType, paint: Paint = slate): string {
  const { defs, view } = drawingParts(bodyType, paint);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 300" width="640" height="300" role="img"><title>${shapes[bodyType].title}</title>${defs}${view}</svg>\n`;
}

/** The definitions and the elements of a drawing, for a picture around it. */
export function drawingParts(bodyType: BodyType, paint: Paint): { defs: string; view: string } {
  return { defs: definitions(paint), view: sideView(shapes[bodyType]) };
}

function sideView(shape: Shape): string {
  const [front, rear] = shape.wheels;
  const middle = (front + rear) / 2;
  return [
    `<ellipse cx="${middle}" cy="262" rx="${(rear - front) * 0.86}" ry="9" fill="url(#shadow)"/>`,
    ...shape.wheels.map((x) => wheelHouse(x, shape)),
    `<path d="${shape.outline}${underside(shape)}Z" fill="url(#paint)"/>`,
    `<path d="${shape.outline}${underside(shape)}Z" fill="url(#shade)"/>`,
    ...shape.windows.map((d) => `<path d="${d}" fill="url(#glass)"/>`),
    group(shape.gaps, 'stroke="#2b3a4a" stroke-opacity=".45" stroke-width="1.6"'),
    group(shape.trim ?? [], 'stroke="#2b3a4a" stroke-width="3" stroke-linecap="round"'),
    ...shape.handles.map(
      ([x, y]) =>
        `<rect x="${x - 10}" y="${y - 2.5}" width="20" height="5" rx="2.5" fill="#3a4a5b"/>`,
    ),
    `<path d="${shape.headlight}" fill="#f7f3df" stroke="#2b3a4a" stroke-opacity=".4"/>`,
    `<path d="${shape.taillight}" fill="#c63d37"/>`,
    mirror(shape.mirror),
    ...shape.wheels.map((x) => wheel(x, shape.wheelRadius)),
  ].join('');
}

function definitions({ top, bottom }: Paint): string {
  return (
    '<defs>' +
    gradient('paint', [
      [0, top],
      [1, bottom],
    ]) +
    gradient('shade', [
      [0, '#fff', 0.22],
      [0.45, '#fff', 0],
      [0.75, '#0b1622', 0],
      [1, '#0b1622', 0.4],
    ]) +
    gradient('glass', [
      [0, '#48586a'],
      [1, '#222d39'],
    ]) +
    '<radialGradient id="shadow"><stop offset="0" stop-color="#0b1622" stop-opacity=".45"/><stop offset=".7" stop-color="#0b1622" stop-opacity=".22"/><stop offset="1" stop-color="#0b1622" stop-opacity="0"/></radialGradient>' +
    '</defs>'
  );
}

function gradient(
  id: string,
  stops: readonly (readonly [offset: number, color: string, opacity?: number])[],
): string {
  const inner = stops.map(
    ([offset, color, opacity]) =>
      `<stop offset="${offset}" stop-color="${color}"${opacity === undefined ? '' : ` stop-opacity="${opacity}"`}/>`,
  );
  return `<linearGradient id="${id}" x2="0" y2="1">${inner.join('')}</linearGradient>`;
}

function group(paths: readonly string[], attributes: string): string {
  if (paths.length === 0) return '';
  return `<g fill="none" ${attributes}>${paths.map((d) => `<path d="${d}"/>`).join('')}</g>`;
}

const ground = 260;
const archGap = 6;

/** Half of the opening of a wheel arch at the height of the sill. */
function archHalf({ sill, wheelRadius }: Shape): number {
  const drop = sill - (ground - wheelRadius);
  return Math.round(Math.sqrt((wheelRadius + archGap) ** 2 - drop ** 2) * 10) / 10;
}

/** From the rear bumper to the front one, with the wheel arches. */
function underside(shape: Shape): string {
  const radius = shape.wheelRadius + archGap;
  const half = archHalf(shape);
  return [...shape.wheels]
    .reverse()
    .map((x) => `L${x + half} ${shape.sill}A${radius} ${radius} 0 1 0 ${x - half} ${shape.sill}`)
    .join('');
}

function wheelHouse(x: number, shape: Shape): string {
  const radius = shape.wheelRadius + archGap + 1;
  const half = archHalf(shape);
  return `<path d="M${x - half} ${shape.sill}A${radius} ${radius} 0 1 1 ${x + half} ${shape.sill}Z" fill="#1a222b"/>`;
}

function wheel(x: number, radius: number): string {
  const rim = radius * 0.66;
  const spokes = [0, 72, 144, 216, 288].map(
    (angle) => `<path d="M0 0V${-(rim - 2)}" transform="rotate(${angle})"/>`,
  );
  return (
    `<g transform="translate(${x} ${ground - radius})"><circle r="${radius}" fill="#20272f"/>` +
    `<circle r="${rim}" fill="#56626f"/><g stroke="#d5dbe1" stroke-width="5.5" stroke-linecap="round">${spokes.join('')}</g>` +
    `<circle r="${rim}" fill="none" stroke="#d5dbe1" stroke-width="2.5"/><circle r="4.5" fill="#8793a0"/></g>`
  );
}

function mirror([x, y]: readonly [number, number]): string {
  return `<path d="M${x} ${y + 2}c-4-2-5-8-2-11c4-3 12-3 16-1c2 2 2 10-1 12z" fill="url(#paint)" stroke="#2b3a4a" stroke-opacity=".6"/>`;
}
