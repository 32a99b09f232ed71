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

const radiusMetres = 120;
const leastMs = 5 * 60_000;

/** The times in which a vehicle stayed in one place: also while it was silent, if it was found where it was left. */
export function findStops(points: readonly TrackPoint[]): Stop[] {
  const stops: Stop[] = [];
  let left: TrackPoint | undefined;
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
      stops.push({
        from: start.time,
        to: end.time,
        lat: start.lat,
        lng: start.lng,
        odometer: end.odometer,
        drivenKm: left && kilometresBetween(left, start),
        drivenMs: left ? timeOf(start) - timeOf(left) : 0,
      });
      left = end;
      first = last + 1;
    } else first++;
  }
  return stops;
}

const timeOf = ({ time }: TrackPoint) => new Date(time).getTime();

function kilometresBetween(a: TrackPoint, b: TrackPoint): number | undefined {
  if (a.odometer === undefined || b.odometer === undefined) return undefined;
  return Math.max(0, b.odometer - a.odometer);
}

/** On a plane, which is exact enough for what is near. */
function metresBetween(a: { lat: number; lng: number }, b: { lat: number; lng: number }): number {
  const metresOfDegree = 111_320;
  const x = (b.lng - a.lng) * Math.cos((((a.lat + b.lat) / 2) * Math.PI) / 180);
  return Math.hypot(x, b.lat - a.lat) * metresOfDegree;
}
