import { along, type Street } from '../fleet/vehicles/public.ts';
import type { Random } from '../platform/random/random.ts';

export type Place = { lat: number; lng: number };

/** A polyline, and the distance in km at which each of its places is reached. */
export type Route = { places: readonly Place[]; reached: readonly number[]; km: number };

const KM_PER_DEGREE = 111.32;

/** Accurate enough within a city. */
export function kmBetween(a: Place, b: Place): number {
  const parallel = Math.cos((((a.lat + b.lat) / 2) * Math.PI) / 180);
  return Math.hypot(a.lat - b.lat, (a.lng - b.lng) * parallel) * KM_PER_DEGREE;
}

/**
 * A route along streets, of about the target and at most the maximum length. Undefined when not even the nearest street
 * can be reached.
 */
export function routeFrom(
  start: Place,
  streets: readonly Street[],
  targetKm: number,
  maxKm: number,
  random: Random,
): Route | undefined {
  let route: Route = { places: [start], reached: [0], km: 0 };
  while (route.km < targetKm) {
    const extended = extend(route, random.pick(streets), random);
    if (extended.km > maxKm) break;
    route = extended;
  }
  if (route.km > 0) return route;
  const nearest = streets.reduce((a, b) => (kmBetween(start, b) < kmBetween(start, a) ? b : a));
  const shortest = extend(route, nearest, random);
  return shortest.km > maxKm ? undefined : shortest;
}

/** The place at a distance in km from the start. */
export function placeAt({ places, reached, km }: Route, at: number): Place {
  const last = places.at(-1) as Place;
  if (at >= km) return last;
  const index = reached.findIndex((here) => here > at);
  const [from, to] = [places[index - 1] as Place, places[index] as Place];
  const [before, after] = [reached[index - 1] as number, reached[index] as number];
  const share = (at - before) / (after - before);
  return {
    lat: from.lat + (to.lat - from.lat) * share,
    lng: from.lng + (to.lng - from.lng) * share,
  };
}

/** Extends the route along a street, from its nearer end to the other. */
function extend(route: Route, street: Street, random: Random): Route {
  const here = route.places.at(-1) as Place;
  const metres = random.between(120, 400);
  const ends = [along(street, -metres), along(street, metres)].sort(
    (a, b) => kmBetween(here, a) - kmBetween(here, b),
  );
  const places = [...route.places];
  const reached = [...route.reached];
  for (const end of ends) {
    const km = (reached.at(-1) ?? 0) + kmBetween(places.at(-1) as Place, end);
    if (km === reached.at(-1)) continue;
    places.push(end);
    reached.push(km);
  }
  return { places, reached, km: reached.at(-1) ?? 0 };
}
