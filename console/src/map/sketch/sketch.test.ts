import { expect, test } from 'vitest';
import { arcsOf, groupMarks } from './group-marks.ts';
import { outlinePath } from './outline-path.ts';
import { fitView, height, project, type SketchView, width } from './sketch-view.ts';

const hamburg = { lat: 53.55, lng: 9.99 };
const munich = { lat: 48.14, lng: 11.58 };
const viewOf = (...positions: Parameters<typeof fitView>[0]) => fitView(positions) as SketchView;

test('all positions are within the drawing, north up and east to the right', () => {
  const view = viewOf(hamburg, munich);
  const [north, south] = [project(view, hamburg), project(view, munich)];
  for (const [x, y] of [north, south]) {
    expect(x).toBeGreaterThan(20);
    expect(x).toBeLessThan(width - 20);
    expect(y).toBeGreaterThan(20);
    expect(y).toBeLessThan(height - 20);
  }
  expect(north[1]).toBeLessThan(south[1]);
  expect(north[0]).toBeLessThan(south[0]);
  expect(fitView([])).toBeUndefined();
});

test('one town has its surroundings, and a vehicle that moves a little leaves the drawing where it is', () => {
  const view = viewOf(munich);
  expect(width / view.pixelsPerDegree).toBeGreaterThan(4);
  expect(viewOf({ lat: munich.lat + 0.01, lng: munich.lng + 0.01 })).toEqual(view);
});

test('areas are cut at the edge, and what is elsewhere is left out', () => {
  const view = viewOf(hamburg, munich);
  const square = (west: number, south: number, size: number) => [
    [west, south],
    [west, south + size],
    [west + size, south + size],
    [west + size, south],
    [west, south],
  ];
  const numbers = (path: string) => (path.match(/-?[\d.]+/g) ?? []).map(Number);
  const world = outlinePath({ type: 'Polygon', coordinates: [square(-60, -60, 140)] }, view);
  expect(world).toMatch(/^M.*Z$/);
  expect(Math.min(...numbers(world))).toBe(-4);
  expect(Math.max(...numbers(world))).toBe(width + 4);
  expect(outlinePath({ type: 'Polygon', coordinates: [square(100, 0, 5)] }, view)).toBe('');
  const line = {
    type: 'MultiLineString' as const,
    coordinates: [
      [
        [100, 0],
        [101, 0],
      ],
      [
        [9, 50],
        [10, 51],
      ],
    ],
  };
  expect(outlinePath(line, view).match(/M/g)).toHaveLength(1);
});

test('vehicles that are close are one ring, with a part for each kind of state', () => {
  const groups = groupMarks([
    { at: [100, 100], state: 'parked' },
    { at: [110, 100], state: 'parked' },
    { at: [105, 112], state: 'driving' },
    { at: [300, 20], state: 'low' },
  ]);
  expect(groups.map(({ total }) => total)).toEqual([3, 1]);
  expect(groups[0]?.at).toEqual([105, 104]);
  const tones = { parked: 'neutral', driving: 'info', low: 'warning' } as const;
  expect(groups.map((group) => arcsOf(group, (state) => tones[state as 'low']))).toEqual([
    [
      { tone: 'info', from: 0, count: 1 },
      { tone: 'neutral', from: 1, count: 2 },
    ],
    [{ tone: 'warning', from: 0, count: 1 }],
  ]);
});
