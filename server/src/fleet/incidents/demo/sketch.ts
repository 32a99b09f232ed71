import type { Incident } from '../incident.ts';
import { damagePlace } from './damage-place.ts';

type Damage = NonNullable<Incident['damages']>[number];

const width = 240;
const height = 440;
const body = { left: 50, right: 190, top: 25, bottom: 415 };

const outline = 1;
const paint = 2;
const glass = 3;
const tyre = 4;
const palette = [
  [255, 255, 255],
  [40, 48, 60],
  [206, 213, 222],
  [120, 144, 168],
  [60, 60, 60],
  [250, 190, 40],
  [240, 120, 30],
  [210, 30, 40],
];
const markOf = { light: 5, moderate: 6, high: 7 };

/** The vehicle from above, its front at the top, with a mark on each damage: the redder, the worse. */
export async function damageSketch(damages: readonly Damage[]): Promise<Buffer> {
  const pixels = emptySketch.slice();
  for (const { position, severity } of damages) {
    const place = damagePlace(position);
    const x = Math.round(body.left + place.across * (body.right - body.left));
    const y = Math.round(body.top + place.along * (body.bottom - body.top));
    rounded(pixels, outline, x - 12, x + 12, y - 12, y + 12, 12);
    rounded(pixels, markOf[severity], x - 10, x + 10, y - 10, y + 10, 10);
  }
  // Loaded by the first start of a demo alone.
  const { encode } = await import('fast-png');
  return Buffer.from(encode({ width, height, data: pixels, palette, channels: 1 }));
}

const emptySketch = vehicleFromAbove();

function vehicleFromAbove(): Uint8Array {
  const pixels = new Uint8Array(width * height);
  const { left, right, top, bottom } = body;
  for (const axle of [75, 310]) rounded(pixels, tyre, 40, 200, axle, axle + 60, 6);
  rounded(pixels, outline, left, right, top, bottom, 42);
  rounded(pixels, paint, left + 3, right - 3, top + 3, bottom - 3, 39);
  window(pixels, 64, 72, 125, 165);
  window(pixels, 74, 66, 340, 372);
  for (const side of [60, 171]) rounded(pixels, glass, side, side + 9, 178, 330, 4);
  for (const mirror of [30, 190]) rounded(pixels, outline, mirror, mirror + 20, 140, 152, 4);
  return pixels;
}

/** Fills a rectangle with round corners; with a radius of half its side it is a circle. */
function rounded(
  pixels: Uint8Array,
  colour: number,
  left: number,
  right: number,
  top: number,
  bottom: number,
  radius: number,
): void {
  for (let y = top; y <= bottom; y += 1) {
    const dy = Math.max(top + radius - y, y - (bottom - radius), 0);
    const inset = radius - Math.floor(Math.sqrt(radius * radius - dy * dy));
    pixels.fill(colour, y * width + left + inset, y * width + right - inset + 1);
  }
}

/** Fills a pane across the vehicle, so far from the edges at its top and at its bottom. */
function window(
  pixels: Uint8Array,
  insetTop: number,
  insetBottom: number,
  top: number,
  bottom: number,
): void {
  for (let y = top; y <= bottom; y += 1) {
    const inset = Math.round(insetTop + ((insetBottom - insetTop) * (y - top)) / (bottom - top));
    pixels.fill(glass, y * width + inset, (y + 1) * width - inset);
  }
}
