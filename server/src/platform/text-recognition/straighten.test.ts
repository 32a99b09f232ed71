import { expect, test } from 'vitest';
import { apply, type Quadrilateral, quarterTurns, rectangleTo, rotation } from './matrix.ts';
import { findPageOutline } from './page-outline.ts';
import { flatten, type Raster, warp } from './raster.ts';
import { findSkew } from './skew.ts';
import { findTickBoxes } from './tick-boxes.ts';

const blank = (width: number, height: number, shade = 255): Raster => ({
  width,
  height,
  pixels: new Uint8Array(width * height).fill(shade),
});

function fill({ width, pixels }: Raster, x: number, y: number, w: number, h: number, shade = 0) {
  for (let row = y; row < y + h; row++) {
    pixels.fill(shade, row * width + x, row * width + x + w);
  }
}

/** A page with lines of text. */
function lines(width: number, height: number): Raster {
  const page = blank(width, height);
  for (let y = 60; y < height - 60; y += 30) fill(page, 80, y, width - 160, 8);
  return page;
}

test('a matrix maps the corners of a rectangle to those of a quadrilateral', () => {
  const corners: Quadrilateral = [
    { x: 12, y: 5 },
    { x: 180, y: 20 },
    { x: 210, y: 290 },
    { x: 3, y: 260 },
  ];
  const matrix = rectangleTo(100, 150, corners);
  const from = [
    { x: 0, y: 0 },
    { x: 100, y: 0 },
    { x: 100, y: 150 },
    { x: 0, y: 150 },
  ];
  for (const [index, corner] of from.entries()) {
    const { x, y } = apply(matrix, corner);
    expect(x).toBeCloseTo(corners[index]?.x ?? 0);
    expect(y).toBeCloseTo(corners[index]?.y ?? 0);
  }
});

test('four quarter turns bring every point back', () => {
  let point = { x: 30, y: 70 };
  for (const [width, height] of [
    [200, 300],
    [300, 200],
    [200, 300],
    [300, 200],
  ] as const) {
    point = apply(quarterTurns(1, width, height), point);
  }
  expect(point).toEqual({ x: 30, y: 70 });
});

test('the outline of a sheet on a darker ground is found, and none where the picture is the page', () => {
  const picture = blank(800, 1_000, 60);
  fill(picture, 120, 90, 560, 800, 240);
  const outline = findPageOutline(picture);
  const expected = [
    { x: 120, y: 90 },
    { x: 680, y: 90 },
    { x: 680, y: 890 },
    { x: 120, y: 890 },
  ];
  for (const [index, corner] of expected.entries()) {
    expect(Math.abs((outline?.[index]?.x ?? 0) - corner.x)).toBeLessThan(6);
    expect(Math.abs((outline?.[index]?.y ?? 0) - corner.y)).toBeLessThan(6);
  }
  expect(findPageOutline(lines(800, 1_000))).toBeUndefined();
});

test.each([-9, -3.2, 0, 1.5, 7])('a skew of %d degrees is found', (degrees) => {
  const page = lines(900, 900);
  const turned = warp(page, rotation((-degrees * Math.PI) / 180, 900, 900), 900, 900);
  expect((findSkew(turned) * 180) / Math.PI).toBeCloseTo(degrees, 0);
});

test('a shadow is evened out, and text stays dark', () => {
  const page = lines(400, 400);
  const shaded = {
    ...page,
    pixels: page.pixels.map((value, index) => value * (0.4 + (index % 400) / 700)),
  };
  const { pixels } = flatten(shaded);
  expect(pixels[30 * 400 + 20]).toBeGreaterThan(230);
  expect(pixels[64 * 400 + 200]).toBeLessThan(60);
});

test('tick boxes are found with what is in them', () => {
  const page = blank(1_000, 1_000);
  const frame = (x: number, y: number) => {
    fill(page, x, y, 20, 20);
    fill(page, x + 2, y + 2, 16, 16, 255);
  };
  frame(100, 100);
  frame(100, 200);
  for (let step = 4; step < 16; step++) {
    fill(page, 100 + step, 200 + step, 2, 1);
    fill(page, 118 - step, 200 + step, 2, 1);
  }
  fill(page, 300, 300, 200, 3);
  const found = findTickBoxes(page).map(({ box, isTicked }) => [box.x, box.y, isTicked]);
  expect(found).toEqual([
    [100, 100, false],
    [100, 200, true],
  ]);
});
