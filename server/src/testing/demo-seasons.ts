import { logbooks } from '../fleet/logbook/demo/logbook.ts';
import type { LogbookEntry } from '../fleet/logbook/logbook-entry.ts';
import { plannedByHand } from '../fleet/maintenance/demo/planned-by-hand.ts';
import { demoVehicles, type OfVehicle } from '../fleet/vehicles/public.ts';
import { demoScope } from './demo-scope.ts';

/** In every season. */
const moments = [
  '2026-11-15T09:30:00Z',
  '2027-02-10T08:00:00Z',
  '2027-04-12T15:00:00Z',
  '2027-07-20T21:00:00Z',
].map((moment) => new Date(moment));

export const scopes = moments.flatMap((now) =>
  (['DE', 'FR'] as const).map((country) => demoScope(country, now)),
);

export const fleet = scopes.flatMap((scope) => demoVehicles(scope));

/** By vehicle. */
export const books = scopes.flatMap((scope) => [
  ...Map.groupBy(logbooks(scope), ({ vehicle }) => vehicle).values(),
]);

export const planned = scopes.flatMap((scope) =>
  plannedByHand(scope).map((one) => ({ ...one, now: scope.clock.now() })),
);

export function entriesOf(...categories: string[]): OfVehicle<LogbookEntry>[] {
  return books.flat().filter(({ entry }) => categories.includes(entry.category));
}

export function about({ vehicle, entry }: OfVehicle<Pick<LogbookEntry, 'title' | 'date'>>): string {
  return `${vehicle.asset.id} ${entry.date} ${entry.title}`;
}
