import type { HistoryItem } from '@motorpool/client';

/** Where a vehicle was at a moment. */
export type TrackPoint = { time: string; lat: number; lng: number; odometer?: number | undefined };

export type Stop = {
  from: string;
  to: string;
  lat: number;
  lng: number;
  /** When it was left. */
  odometer: number | undefined;
  /** Driven since the stop before, in km; unknown without an odometer. */
  drivenKm: number | undefined;
  /** How long that took, in milliseconds; 0 at the first. */
  drivenMs: number;
};

/** The moments of a history that have a place; an odometer that is in doubt is as good as none. */
export const trackOf = (items: readonly HistoryItem[]): TrackPoint[] =>
  items.flatMap(({ time, location, odometer, doubtful }) =>
    location
      ? [{ time, ...location, odometer: doubtful?.includes('odometer') ? undefined : odometer }]
      : [],
  );

const radiusMetres = 120;
const leastMs = 5 * 60_000;

/** The times in which a vehicle stayed in one place: also while it was silent, if it was found where it was left. */
export function findStops(points: readonly TrackPoint[]): Stop[] {
  const stops: Stop[] = [];
  let left: Stop | undefined;
  for (let first = 0; first < points.length; ) {
    const start = points[first] as TrackPoint;
    let last = first;
    while (
      last + 1 < points.length &&
      metresBetween(start, points[last + 1] as TrackPoint) <= radiusMetres
    )
      last++;
    const end = points[last] as TrackPoint;
    const isEdge = first === 0 || last === points.length - 1;
    if (timeOf(end) - timeOf(start) >= leastMs || (isEdge && last > first)) {
      const odometers = odometersOf(points.slice(first, last + 1));
      left = {
        from: start.time,
        to: end.time,
        lat: start.lat,
        lng: start.lng,
        odometer: odometers.at(-1),
        drivenKm: left && kilometresBetween(left.odometer, odometers[0]),
        drivenMs: left ? timeOf(start) - new Date(left.to).getTime() : 0,
      };
      stops.push(left);
      first = last + 1;
    } else first++;
  }
  return stops;
}

const timeOf = ({ time }: TrackPoint) => new Date(time).getTime();

/** Driven from the first to the last point that has an odometer, in km; unknown where it is one alone. */
export function drivenKm(points: readonly TrackPoint[]): number | undefined {
  const [first, ...later] = odometersOf(points);
  return kilometresBetween(first, later.at(-1));
}

/** Driven since a stop was left, in km. */
export function drivenKmSince(stop: Stop, points: readonly TrackPoint[]): number | undefined {
  const left = points.findIndex(({ time }) => time === stop.to);
  return kilometresBetween(stop.odometer, odometersOf(points.slice(left + 1)).at(-1));
}

const odometersOf = (points: readonly TrackPoint[]): number[] =>
  points.flatMap(({ odometer }) => odometer ?? []);

function kilometresBetween(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : Math.max(0, to - from);
}

/** On a plane, which is exact enough for what is near. */
function metresBetween(a: { lat: number; lng: number }, b: { lat: number; lng: number }): number {
  const metresOfDegree = 111_320;
  const x = (b.lng - a.lng) * Math.cos((((a.lat + b.lat) / 2) * Math.PI) / 180);
  return Math.hypot(x, b.lat - a.lat) * metresOfDegree;
}
