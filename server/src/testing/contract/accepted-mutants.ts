/** Conditions whose removal makes no difference, each with the reason; `text` is a part of its line. */
export const acceptedMutants: readonly { file: string; text: string; reason: string }[] = [
  {
    file: 'charging/find-charging.ts',
    text: 'c.provider = $1 and c.vehicle_id = late.vehicle_id',
    reason: 'spares a search for sessions, which finds those that are known',
  },
  {
    file: 'charging/previous-sessions.ts',
    text: 'h.provider = $1 and h.vehicle_id = $2 and h.time = s.from_time',
    reason: 'a month of the history is dropped for all providers at once',
  },
  {
    file: 'files/stored-bytes.ts',
    text: 'select 1 from stored_objects where provider = $1 and key = $2',
    reason: 'the key begins with the provider, and was made just before',
  },
  {
    file: 'files/sweep-bytes.ts',
    text: 'blobs.provider = page.provider and blobs.object_key = page.key',
    reason: 'the key begins with the provider',
  },
  {
    file: 'maintenance/hold-vehicles.ts',
    text: 'select 1 from vehicles where provider = $1',
    reason: 'only takes locks',
  },
  {
    file: 'maintenance/plan-maintenance.ts',
    text: 'select 1 from maintenance_schedules where provider = $1',
    reason: 'only takes locks',
  },
  {
    file: 'telemetry/status-store.ts',
    text: 'select from vehicles where provider = $1',
    reason: 'only takes locks',
  },
  {
    file: 'vehicles/vehicle-store.ts',
    text: 'select 1 from vehicle_statuses where provider = $1',
    reason: 'only takes locks',
  },
  {
    file: 'maintenance/refresh-fleet.ts',
    text: 'provider = $1 and vehicle_id > $2',
    reason: 'only names vehicles, which are then looked up among those of the provider',
  },
  {
    file: 'maintenance/review-fleet.ts',
    text: 'select id from vehicles where provider = $1',
    reason: 'only names vehicles, which are then looked up among those of the provider',
  },
  {
    file: 'maintenance/review-fleet.ts',
    text: 'v.provider = p.id',
    reason: 'only names fleets to be estimated at a start, which changes nothing where it was done',
  },
  {
    file: 'maintenance/review-fleet.ts',
    text: 'i.provider = v.provider',
    reason:
      'only names fleets to be estimated at a start; ids of vehicles begin with their provider',
  },
  {
    file: 'maintenance/refresh-maintenance.ts',
    text: 's.provider = $1 and s.vehicle_id = any($2) and s.replan_at_odometer = 0',
    reason: 'sets what the refresh of the other provider’s vehicle would set',
  },
  {
    file: 'telemetry/change-history.ts',
    text: 'from vehicle_history where provider = $1',
    reason: 'only names months in which the history of the provider’s vehicle is then changed',
  },
];
