import type { Matrix } from './recognised-document.ts';

/** A picture in shades of grey, a byte for each pixel. */
export type Raster = { width: number; height: number; pixels: Uint8Array };

/** The picture of a rectangle whose points a matrix maps to points of the source, with one shade outside of it. */
export function warp(
  source: Raster,
  matrix: Matrix,
  width: number,
  height: number,
  outside = 255,
): Raster {
  const [a, b, c, d, e, f, g, h, i] = matrix;
  const { width: fromWidth, height: fromHeight, pixels: from } = source;
  const pixels = new Uint8Array(width * height).fill(outside);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const w = g * x + h * y + i;
      const sx = (a * x + b * y + c) / w;
      const sy = (d * x + e * y + f) / w;
      const left = Math.floor(sx);
      const top = Math.floor(sy);
      if (left < 0 || top < 0 || left >= fromWidth - 1 || top >= fromHeight - 1) continue;
      const tx = sx - left;
      const ty = sy - top;
      const index = top * fromWidth + left;
      const upper = pixel(from, index) * (1 - tx) + pixel(from, index + 1) * tx;
      const lower =
        pixel(from, index + fromWidth) * (1 - tx) + pixel(from, index + fromWidth + 1) * tx;
      pixels[y * width + x] = upper * (1 - ty) + lower * ty;
    }
  }
  return { width, height, pixels };
}

function pixel(pixels: Uint8Array, index: number): number {
  return pixels[index] as number;
}

/** Smaller by a whole factor: the mean of each square. */
export function shrink(source: Raster, factor: number): Raster {
  if (factor <= 1) return source;
  const width = Math.floor(source.width / factor);
  const height = Math.floor(source.height / factor);
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let row = y * factor; row < (y + 1) * factor; row++) {
        const start = row * source.width + x * factor;
        for (let index = start; index < start + factor; index++) sum += pixel(source.pixels, index);
      }
      pixels[y * width + x] = sum / (factor * factor);
    }
  }
  return { width, height, pixels };
}

/** The threshold that separates dark from bright best (Otsu). */
export function threshold({ pixels }: Raster): number {
  const counts = new Array<number>(256).fill(0);
  for (const value of pixels) counts[value] = (counts[value] ?? 0) + 1;
  const total = counts.reduce((sum, count, value) => sum + count * value, 0);
  let best = 127;
  let bestVariance = 0;
  let below = 0;
  let sumBelow = 0;
  counts.forEach((count, value) => {
    below += count;
    sumBelow += count * value;
    const above = pixels.length - below;
    if (below === 0 || above === 0) return;
    const difference = sumBelow / below - (total - sumBelow) / above;
    const variance = below * above * difference * difference;
    if (variance > bestVariance) {
      bestVariance = variance;
      best = value;
    }
  });
  return best;
}

const tile = 24;

/** Evens out the light: every pixel relative to the paper around it, so that shadows and coloured fields become white. */
export function flatten(source: Raster): Raster {
  const paper = paperOf(source);
  const { width, height } = source;
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const py = Math.min(Math.max(y / tile - 0.5, 0), paper.height - 1.001);
    for (let x = 0; x < width; x++) {
      const px = Math.min(Math.max(x / tile - 0.5, 0), paper.width - 1.001);
      const value = pixel(source.pixels, y * width + x) / sample(paper, px, py);
      pixels[y * width + x] = Math.min(255, value * 255);
    }
  }
  return { width, height, pixels };
}

function sample({ width, pixels }: Raster, x: number, y: number): number {
  const left = Math.max(0, Math.floor(x));
  const top = Math.max(0, Math.floor(y));
  const tx = x - left;
  const ty = y - top;
  const index = top * width + left;
  const upper = pixel(pixels, index) * (1 - tx) + pixel(pixels, index + 1) * tx;
  const lower = pixel(pixels, index + width) * (1 - tx) + pixel(pixels, index + width + 1) * tx;
  return Math.max(1, upper * (1 - ty) + lower * ty);
}

/** The brightness of the paper in each tile and around it. */
function paperOf(source: Raster): Raster {
  const width = Math.max(2, Math.ceil(source.width / tile));
  const height = Math.max(2, Math.ceil(source.height / tile));
  const brightest = new Uint8Array(width * height).fill(1);
  const small = shrink(source, 3);
  for (let y = 0; y < small.height; y++) {
    const row = Math.min(height - 1, Math.floor((y * 3) / tile)) * width;
    for (let x = 0; x < small.width; x++) {
      const index = row + Math.min(width - 1, Math.floor((x * 3) / tile));
      const value = pixel(small.pixels, y * small.width + x);
      if (value > pixel(brightest, index)) brightest[index] = value;
    }
  }
  return blur({ width, height, pixels: brightest });
}

function blur(source: Raster): Raster {
  const { width, height } = source;
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      let count = 0;
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
          sum += pixel(source.pixels, row * width + column);
          count++;
        }
      }
      pixels[y * width + x] = sum / count;
    }
  }
  return { width, height, pixels };
}
