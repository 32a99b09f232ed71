import { randomFor } from '../../../platform/random/random.ts';
import { bodyTypeOf, type DemoVehicle, drawingParts, type Paint } from '../../vehicles/public.ts';

const width = 960;
const height = 600;

const paints: readonly Paint[] = [
  { top: '#ffffff', bottom: '#c3ccd6' },
  { top: '#f2cf63', bottom: '#b98a23' },
  { top: '#4f7fc4', bottom: '#1f3f78' },
  { top: '#5b6670', bottom: '#2c343c' },
  { top: '#7fb069', bottom: '#3f6f3d' },
];

const places = [
  { sky: ['#bfdcf2', '#eef6fb'], wall: '#d9dee3', gate: '#b7c0c9', ground: ['#8b949c', '#6d757c'] },
  { sky: ['#f6d9b8', '#fbf1e4'], wall: '#c9b7a5', gate: '#a89684', ground: ['#857f79', '#68625c'] },
] as const;

/** A picture of a vehicle in front of a hall, as SVG: what a fleet manager would take with a phone. */
export function pictureOf({ asset, information }: DemoVehicle): string {
  const random = randomFor(`${asset.id}/picture`);
  const { sky, wall, gate, ground } = random.pick(places);
  const { defs, view } = drawingParts(bodyTypeOf(information), random.pick(paints));
  const gates = [70, 330, 590].map(
    (x) =>
      `<rect x="${x}" y="170" width="220" height="230" fill="${gate}"/>` +
      Array.from(
        { length: 9 },
        (_, row) => `<path d="M${x} ${193 + row * 23}h220" stroke="#fff" stroke-opacity=".35"/>`,
      ).join(''),
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${defs}` +
    `<defs>${fade('sky', sky)}${fade('ground', ground)}</defs>` +
    `<rect width="${width}" height="400" fill="url(#sky)"/><rect y="120" width="900" height="280" fill="${wall}"/>` +
    `<rect y="120" width="900" height="16" fill="#5d6873"/>${gates.join('')}` +
    `<rect y="400" width="${width}" height="200" fill="url(#ground)"/>` +
    '<path d="M60 590L180 420M900 590L780 420" stroke="#fff" stroke-opacity=".6" stroke-width="7"/>' +
    `<g transform="translate(64 168) scale(1.3)">${view}</g></svg>`
  );
}

function fade(id: string, [top, bottom]: readonly [string, string]): string {
  return `<linearGradient id="${id}" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>`;
}
