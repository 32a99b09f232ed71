/** Conditions whose removal makes no difference, each with the reason; `text` is a part of its line. */
export const acceptedMutants: readonly { file: string; text: string; reason: string }[] = [
  {
    file: 'charging/close-silent-charging.ts',
    text: 's.provider = c.provider',
    reason: 'only names vehicles, whose states are then read among those of the provider',
  },
  {
    file: 'charging/close-silent-charging.ts',
    text: 'c.provider = $1 and c.vehicle_id > $2',
    reason: 'only names vehicles, whose states are then read among those of the provider',
  },
  {
    file: 'charging/detect-sessions.ts',
    text: 'c.provider = $1 and c.vehicle_id = late.vehicle_id',
    reason: 'skips the detection of sessions, which detects those that are known',
  },
  {
    file: 'charging/previous-sessions.ts',
    text: 'h.provider = $1 and h.vehicle_id = $2 and h.time = s.from_time',
    reason: 'a month of the history is dropped for all providers at once',
  },
  {
    file: 'charging/redetect-sessions.ts',
    text: 'provider = $1 and vehicle_id > $2',
    reason: 'only names vehicles, which are then looked up among those of the provider',
  },
  {
    file: 'charging/redetect-sessions.ts',
    text: 'h.provider = c.provider',
    reason: 'a month of the history is dropped for all providers at once',
  },
  {
    file: 'charging/redetect-sessions.ts',
    text: "c.provider = $1 and c.vehicle_id = $2 and c.source = 'telemetry'",
    reason: 'only names moments at which the sessions of the provider’s vehicle are detected again',
  },
  {
    file: 'customers/erasure-store.ts',
    text: 'e.provider = $1 and e.id = $2 and e.completed_at is null',
    reason: 'the id of an erasure is a UUID that the service made, and comes from its own job',
  },
  {
    file: 'customers/erasure-store.ts',
    text: 'erased_count = erased_count + $3 where provider = $1 and id = $2',
    reason: 'the id of an erasure is a UUID that the service made, and comes from its own job',
  },
  {
    file: 'customers/erasure-store.ts',
    text: 'where provider = $1 and id = $2`',
    reason: 'the id of an erasure is a UUID that the service made, and comes from its own job',
  },
  {
    file: 'drivers/customer-data.ts',
    text: 'join vehicles v on v.provider = $1',
    reason: 'only locks vehicles of others, too, until the end of the transaction',
  },
  {
    file: 'files/announce-file.ts',
    text: 'b.provider = $1 and b.owner = $4 and b.entry_id = $3',
    reason: 'only delays created_at, which orders the files of the entry alone',
  },
  {
    file: 'files/stored-objects.ts',
    text: 'select 1 from stored_objects where provider = $1 and key = any($2::text[])',
    reason: 'the keys begin with the provider, and were made just before',
  },
  {
    file: 'files/sweep-bytes.ts',
    text: 'blobs.provider = page.provider and blobs.object_key = page.key',
    reason: 'the key begins with the provider',
  },
  {
    file: 'files/sweep-bytes.ts',
    text: 'f.provider = page.provider and f.object_key = page.key',
    reason: 'the key begins with the provider',
  },
  {
    file: 'assets/refresh-assets.ts',
    text: 'select id from vehicles where provider = $1',
    reason: 'only names vehicles, which are then looked up among those of the provider',
  },
  {
    file: 'assets/refresh-assets.ts',
    text: 'v.provider = $1 and v.id = any($2::text[])',
    reason: 'compares each row with itself; ids of vehicles begin with their provider',
  },
  {
    file: 'vehicles/written-image.ts',
    text: 'provider = $1 and id = any($2::text[])',
    reason: 'is run by imports alone; ids of vehicles begin with their provider',
  },
  {
    file: 'logbook/record-service.ts',
    text: "select filename from blobs where provider = $1 and owner = 'logbook' and entry_id = $2",
    reason: 'the id of the entry is made from the provider, among others',
  },
  {
    file: 'maintenance/plan-maintenance.ts',
    text: 'select 1 from maintenance_schedules where provider = $1',
    reason: 'only takes locks',
  },
  {
    file: 'vehicles/search/search-rare-text.ts',
    text: 'v.provider = $1 and ${hasTrigrams',
    reason: 'the trigrams begin with the provider',
  },
  {
    file: 'vehicles/vin-uniqueness.ts',
    text: 'from vehicles where provider = $1 and id = one.id',
    reason: 'the vehicle was written just before, and its id begins with its provider',
  },
  {
    file: 'maintenance/refresh-fleet.ts',
    text: 'provider = $1 and vehicle_id > $2',
    reason: 'only names vehicles, which are then looked up among those of the provider',
  },
  {
    file: 'maintenance/plan-fleet.ts',
    text: 'select id from vehicles where provider = $1',
    reason: 'only names vehicles, which are then looked up among those of the provider',
  },
  {
    file: 'telemetry/erase-expired-positions.ts',
    text: 'select id from vehicles where provider = $1',
    reason: 'only names vehicles, which are then looked up among those of the provider',
  },
  {
    file: 'inspection/estimate-jobs.ts',
    text: 'select id from vehicles where provider = $1',
    reason: 'only names vehicles, which are then looked up among those of the provider',
  },
  {
    file: 'inspection/estimate-jobs.ts',
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
    file: 'maintenance/refresh-maintenance.ts',
    text: 'group by r.vehicle_id',
    reason: 'only decides how many vehicles are refreshed at a time',
  },
  {
    file: 'vehicles/lock-vehicles.ts',
    text: 'v.provider = $1 and v.id = any($2::text[])',
    reason: 'only locks; what an import then writes is of the provider',
  },
];
