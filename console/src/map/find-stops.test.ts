import { expect, test } from 'vitest';
import {
  drivenKm,
  drivenKmSince,
  findStops,
  type Stop,
  type TrackPoint,
  trackOf,
} from './find-stops.ts';

/** Points as minutes after midnight, hundreds of metres to the north, and kilometres. */
const track = (...points: [minute: number, hundreds: number, odometer?: number][]): TrackPoint[] =>
  points.map(([minute, hundreds, odometer]) => ({
    time: new Date(Date.UTC(2026, 10, 16, 0, minute)).toISOString(),
    lat: 52 + (hundreds * 100) / 111_320,
    lng: 13,
    odometer,
  }));

const shown = (points: TrackPoint[]) =>
  findStops(points).map(({ from, to, drivenKm, drivenMs }) => [
    from.slice(11, 16),
    to.slice(11, 16),
    drivenKm,
    drivenMs / 60_000,
  ]);

test('a vehicle stops where it stays for five minutes, wherever it is heard of meanwhile', () => {
  const points = track(
    [0, 0, 10],
    [60, 0, 10],
    [62, 30, 13],
    [64, 60, 16],
    [70, 60, 16],
    [75, 60.5, 16],
    [76, 90, 19],
    [78, 0, 28],
    [90, 0, 28],
  );
  expect(shown(points)).toEqual([
    ['00:00', '01:00', undefined, 0],
    ['01:04', '01:15', 6, 4],
    ['01:18', '01:30', 12, 3],
  ]);
});

test('a vehicle that is silent while it stands, and found in the same place, has stopped', () => {
  expect(shown(track([0, 0], [400, 0]))).toEqual([['00:00', '06:40', undefined, 0]]);
});

test('a short wait on the way is no stop', () => {
  const points = track([0, 0], [1, 20], [3, 20.3], [4, 40], [6, 80]);
  expect(shown(points)).toEqual([]);
});

test('a day without positions has no stops', () => {
  expect(findStops([])).toEqual([]);
});

test('what was driven is told by the points that have an odometer, and unknown without two of them', () => {
  expect(drivenKm(track([0, 0], [5, 10, 45_210], [9, 20], [22, 30, 45_212], [25, 40]))).toBe(2);
  expect(drivenKm(track([0, 0], [22, 30, 45_212]))).toBeUndefined();
  expect(drivenKm(track([0, 0, 45_212], [22, 30]))).toBeUndefined();
  expect(drivenKm([])).toBeUndefined();
});

test('the odometer of a stop is one that was read there, and what was driven to or from another is unknown', () => {
  const points = track(
    [0, 0, 10],
    [60, 0],
    [64, 60],
    [75, 60, 16],
    [80, 90],
    [81, 120, 22],
    [82, 150],
  );
  const stops = findStops(points);
  expect(stops.map(({ odometer, drivenKm: km }) => [odometer, km])).toEqual([
    [10, undefined],
    [16, 6],
  ]);
  const last = stops[1] as Stop;
  expect(drivenKmSince(last, points)).toBe(6);
  expect(drivenKmSince(last, points.slice(0, -2))).toBeUndefined();
  expect(drivenKmSince({ ...last, odometer: undefined }, points)).toBeUndefined();
});

test('an odometer that is in doubt is none', () => {
  const location = { lat: 52, lng: 13 };
  const time = '2026-11-16T00:00:00Z';
  expect(
    trackOf([
      { time, location, odometer: 0, doubtful: ['odometer'] },
      { time, location, odometer: 45_212 },
      { time, odometer: 45_213 },
    ]),
  ).toEqual([
    { time, ...location, odometer: undefined },
    { time, ...location, odometer: 45_212 },
  ]);
});
