import { vehicleItem } from '../vehicle-item.ts';

/** A page as every strategy reads it: with the version of the fleet in which it is so. */
export type PageRow = { version: string | null; listed: number; items: string | null };

export const fleetVersion = '(select version from fleet_versions where provider = $1) as version';

/** In SQL: the items of the vehicles of $1 with these ids, in their order, and how many there are. */
export function pageOf(ids: string): string {
  return `
    (select count(*)::int as listed, string_agg(item, ',' order by place) as items from (
      select place, ${vehicleItem} as item
      from unnest(${ids}) with ordinality as page (id, place)
      join vehicles v on v.provider = $1 and v.id = page.id
      left join vehicle_statuses s on s.provider = $1 and s.vehicle_id = page.id
    ) as one)`;
}

/** Hides a value from the planner, which would otherwise plan again for each one (docs/decisions/0019-fast-search.md). */
export function unplanned(value: string): string {
  return `(select ${value})`;
}
