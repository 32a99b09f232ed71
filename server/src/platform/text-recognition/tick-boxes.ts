import type { Raster } from './raster.ts';
import type { Box, TickBox } from './recognised-document.ts';

const dark = 160;
// Relative to the width of the page.
const minSide = 0.008;
const maxSide = 0.04;
const minOutline = 0.85;
const maxFilled = 0.75;
const minTicked = 0.07;

/** Small squares with an outline, and whether there is something in them; the raster has to be flattened. */
export function findTickBoxes(raster: Raster): TickBox[] {
  const from = minSide * raster.width;
  const to = maxSide * raster.width;
  return darkRegions(raster, Math.ceil(to * 1.3)).flatMap(({ box, size }) => {
    const { width, height } = box;
    const isSquare = Math.abs(width - height) <= 0.22 * Math.max(width, height);
    if (!isSquare || width < from || width > to || size > maxFilled * width * height) return [];
    if (outlineShare(raster, box) < minOutline) return [];
    return [{ box, isTicked: innerShare(raster, box) > minTicked }];
  });
}

type Region = { box: Box; size: number };

/** Connected dark pixels, but for regions larger than `maxSize`. */
function darkRegions({ width, height, pixels }: Raster, maxSize: number): Region[] {
  const seen = new Uint8Array(pixels.length);
  const regions: Region[] = [];
  const open: number[] = [];
  for (let start = 0; start < pixels.length; start++) {
    if (seen[start] || (pixels[start] as number) > dark) continue;
    let left = width;
    let right = 0;
    let top = height;
    let bottom = 0;
    let size = 0;
    seen[start] = 1;
    open.push(start);
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const x = index % width;
      const y = (index - x) / width;
      size++;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
          const next = row * width + column;
          if (seen[next] || (pixels[next] as number) > dark) continue;
          seen[next] = 1;
          open.push(next);
        }
      }
    }
    const box = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
    if (box.width <= maxSize && box.height <= maxSize) regions.push({ box, size });
  }
  return regions;
}

/** How much of the least visible side of a box is dark somewhere within a band along it. */
function outlineShare(raster: Raster, { x, y, width, height }: Box): number {
  const band = Math.max(2, Math.round(0.2 * width));
  const isDark = (column: number, row: number) =>
    (raster.pixels[row * raster.width + column] as number) <= dark;
  const steps = Array.from({ length: band }, (_, step) => step);
  const side = (length: number, at: (along: number, step: number) => boolean) => {
    let found = 0;
    for (let along = 0; along < length; along++) {
      if (steps.some((step) => at(along, step))) found++;
    }
    return found / length;
  };
  return Math.min(
    side(width, (along, step) => isDark(x + along, y + step)),
    side(width, (along, step) => isDark(x + along, y + height - 1 - step)),
    side(height, (along, step) => isDark(x + step, y + along)),
    side(height, (along, step) => isDark(x + width - 1 - step, y + along)),
  );
}

function innerShare(raster: Raster, { x, y, width, height }: Box): number {
  const marginX = Math.round(width * 0.25);
  const marginY = Math.round(height * 0.25);
  let found = 0;
  let all = 0;
  for (let row = y + marginY; row < y + height - marginY; row++) {
    for (let column = x + marginX; column < x + width - marginX; column++) {
      all++;
      if ((raster.pixels[row * raster.width + column] as number) <= dark) found++;
    }
  }
  return all === 0 ? 0 : found / all;
}
