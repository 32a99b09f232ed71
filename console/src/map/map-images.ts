import { icons } from '../icons/icons.ts';
import type { StateTone } from '../values/state-badge.tsx';
import { type StateName, stateLooks } from '../values/vehicle-state.tsx';
import { mapColours, type Scheme } from './map-colours.ts';

const pixelRatio = 2;
const markerSize = 26;
const clusterSizes = [34, 42, 52];
/** Into how many parts the ring of a cluster is divided. */
export const ringParts = 12;
/** In the order of the ring; what is left of it is neutral. */
export const ringTones = ['warning', 'info', 'good'] as const satisfies StateTone[];

/** Draws an image by its name when the map first needs it. */
export function drawMapImage(name: string): { image: ImageData; pixelRatio: number } | undefined {
  const [kind, scheme, ...parts] = name.split('/');
  if (scheme !== 'light' && scheme !== 'dark') return undefined;
  const image =
    kind === 'marker'
      ? drawMarker(scheme, parts[0] as StateName)
      : kind === 'cluster'
        ? drawCluster(scheme, parts.map(Number))
        : undefined;
  return image && { image, pixelRatio };
}

function canvasOf(size: number): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size * pixelRatio;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.scale(pixelRatio, pixelRatio);
  return context;
}

/** A disc in the colour of the state with its icon, so that colour is not alone. */
function drawMarker(scheme: Scheme, state: StateName): ImageData | undefined {
  const look = stateLooks[state];
  if (!look) return undefined;
  const { tones, onTone, card } = mapColours[scheme];
  const context = canvasOf(markerSize);
  const middle = markerSize / 2;
  disc(context, middle, middle, card);
  disc(context, middle, middle - 1.5, tones[look.tone]);
  context.translate(middle - 7, middle - 7);
  context.scale(14 / 24, 14 / 24);
  Object.assign(context, {
    strokeStyle: onTone,
    lineWidth: 2.4,
    lineCap: 'round',
    lineJoin: 'round',
  });
  for (const [tag, attributes] of icons[look.icon]) context.stroke(pathOf(tag, attributes));
  return context.getImageData(0, 0, markerSize * pixelRatio, markerSize * pixelRatio);
}

/** A disc for the number, and a ring that shows how many are in which state. */
function drawCluster(scheme: Scheme, [size = 0, ...shares]: number[]): ImageData {
  const { tones, card } = mapColours[scheme];
  const diameter = clusterSizes[size] ?? clusterSizes[0] ?? 0;
  const middle = diameter / 2;
  const context = canvasOf(diameter);
  disc(context, middle, middle, card);
  const width = 4.5;
  let from = -Math.PI / 2;
  const arc = (parts: number, colour: string) => {
    const to = from + (parts / ringParts) * 2 * Math.PI;
    context.beginPath();
    context.arc(middle, middle, middle - 1.5 - width / 2, from, to);
    Object.assign(context, { strokeStyle: colour, lineWidth: width });
    context.stroke();
    from = to;
  };
  ringTones.forEach((tone, index) => {
    arc(shares[index] ?? 0, tones[tone]);
  });
  const left = ringParts - shares.reduce((sum, share) => sum + share, 0);
  if (left > 0) arc(left, tones.neutral);
  return context.getImageData(0, 0, diameter * pixelRatio, diameter * pixelRatio);
}

function disc(context: CanvasRenderingContext2D, middle: number, radius: number, colour: string) {
  context.beginPath();
  context.arc(middle, middle, radius, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}

/** Of an element of an SVG. */
function pathOf(tag: string, attributes: Record<string, string | number | undefined>): Path2D {
  if (tag === 'path') return new Path2D(String(attributes.d));
  const of = (name: string) => Number(attributes[name] ?? 0);
  const path = new Path2D();
  if (tag === 'circle') path.arc(of('cx'), of('cy'), of('r'), 0, 2 * Math.PI);
  if (tag === 'rect') path.roundRect(of('x'), of('y'), of('width'), of('height'), of('rx'));
  if (tag === 'line') {
    path.moveTo(of('x1'), of('y1'));
    path.lineTo(of('x2'), of('y2'));
  }
  return path;
}
