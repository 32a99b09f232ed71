-- The provider leads every key of its data: no statement can cross providers, and tables can be distributed by it.
-- Keys compare by bytes (collate "C"): their order is the same on every server.
-- Names: <table>_pkey, <table>_<what>_fkey, <table>_<what>_key (unique), <table>_<what>_check, <table>_by_<what>.

create extension if not exists pg_trgm;

-- Asset providers. Each is also the realm of its tokens, and its id is the name of the realm.
create table providers (
  id text collate "C" not null,
  name text not null,
  demo boolean not null default false,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  constraint providers_pkey primary key (id),
  constraint providers_id_check check (id ~ '^[A-Z]{2}-[A-Z0-9]{3}$')
);

create table realm_keys (
  provider text collate "C" not null,
  kid text collate "C" not null,
  private_jwk jsonb not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  constraint realm_keys_pkey primary key (provider, kid),
  constraint realm_keys_provider_fkey foreign key (provider) references providers (id)
);

create table clients (
  provider text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  -- Null for a public client.
  secret_hash bytea,
  redirect_uris text[] not null default '{}',
  post_logout_redirect_uris text[] not null default '{}',
  -- Its credentials are public: accepted by the demo only.
  demo boolean not null default false,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  constraint clients_pkey primary key (provider, id),
  constraint clients_provider_fkey foreign key (provider) references providers (id)
);

create table users (
  provider text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  username text collate "C" not null,
  password_hash text not null,
  demo boolean not null default false,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  constraint users_pkey primary key (provider, id),
  constraint users_username_key unique (provider, username),
  constraint users_provider_fkey foreign key (provider) references providers (id)
);

-- Sessions, authorization codes, grants and refresh tokens of the authorization server.
create table oidc_records (
  provider text collate "C" not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  payload jsonb not null,
  grant_id text collate "C",
  uid text collate "C",
  consumed_at timestamptz,
  expires_at timestamptz,
  constraint oidc_records_pkey primary key (provider, kind, id),
  constraint oidc_records_provider_fkey foreign key (provider) references providers (id)
);
create index oidc_records_by_grant on oidc_records (provider, grant_id) where grant_id is not null;
create index oidc_records_by_uid on oidc_records (provider, uid) where uid is not null;
create index oidc_records_by_expiry on oidc_records (expires_at);

-- Keys of the service itself, generated on first use and shared by all processes.
create table server_secrets (
  name text collate "C" not null,
  value bytea not null,
  constraint server_secrets_pkey primary key (name)
);

-- Times that the interface returns have three digits, so that a filter on a returned value matches.
create table vehicles (
  provider text collate "C" not null,
  id text collate "C" not null,
  -- Incremented by every change, and the source of the ETag; so in every table that has it. Where the client chooses
  -- the key it starts at the time in ms: what is deleted and created again repeats no ETag.
  version bigint not null default (extract(epoch from now()) * 1000)::bigint,
  blob_uuid uuid,
  default_image text,
  active boolean not null default true,
  vin text,
  vendor text,
  model text,
  variant text,
  license_plate text,
  seats double precision,
  first_registration_date date,
  build_year double precision,
  ev_battery_capacity double precision,
  ice_tank_capacity double precision,
  track_geolocation boolean,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The columns that a text search covers, one per line.
  search_text text generated always as (lower(
    coalesce(vin, '') || e'\n' || coalesce(license_plate, '') || e'\n' || coalesce(vendor, '') || e'\n' ||
    coalesce(model, '') || e'\n' || coalesce(variant, '')
  )) stored,
  -- The item of the interface up to its status, rendered by the one writer (docs/decisions/0019-fast-search.md).
  item text not null,
  constraint vehicles_pkey primary key (provider, id),
  constraint vehicles_provider_fkey foreign key (provider) references providers (id)
);
-- Without the provider, which would make the index slower (docs/decisions/0019-fast-search.md).
create index vehicles_by_search_text on vehicles using gin (search_text gin_trgm_ops);
create index vehicles_by_update on vehicles (provider, updated_at, id);

-- Changes with every change of a provider's vehicles: a cached search result is valid for one version.
create table fleet_versions (
  provider text collate "C" not null,
  version uuid not null,
  constraint fleet_versions_pkey primary key (provider),
  constraint fleet_versions_provider_fkey foreign key (provider) references providers (id)
);

-- Once per transaction and provider: a setting that ends with the transaction lists the providers done.
create function change_fleet_version() returns trigger language plpgsql as $$
declare
  fleet text := coalesce(new.provider, old.provider);
  done text := coalesce(current_setting('motorpool.versioned_fleets', true), '');
begin
  if fleet <> all (string_to_array(done, ',')) then
    insert into fleet_versions (provider, version) values (fleet, gen_random_uuid())
    on conflict (provider) do update set version = excluded.version;
    perform set_config('motorpool.versioned_fleets', concat_ws(',', nullif(done, ''), fleet), true);
  end if;
  return null;
end
$$;

-- Deferred to the commit, so that writers of one fleet wait for each other only that long.
create constraint trigger change_fleet_version
  after insert or update or delete on vehicles
  deferrable initially deferred
  for each row execute function change_fleet_version();

-- The newest value of every signal, and when it was measured. Apart from the vehicle, since telemetry writes it far
-- more often. Half of each page is free for the next version of its rows: so updates are heap-only.
create table vehicle_statuses (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  last_updated timestamptz(3),
  lat double precision,
  lng double precision,
  location_at timestamptz(3),
  is_charging boolean,
  is_charging_at timestamptz(3),
  is_locked boolean,
  is_locked_at timestamptz(3),
  windows_closed boolean,
  windows_closed_at timestamptz(3),
  doors_closed boolean,
  doors_closed_at timestamptz(3),
  engine_active boolean,
  engine_active_at timestamptz(3),
  headlights_active boolean,
  headlights_active_at timestamptz(3),
  immobilizer_active boolean,
  immobilizer_active_at timestamptz(3),
  is_plugged_in boolean,
  is_plugged_in_at timestamptz(3),
  odometer double precision,
  odometer_at timestamptz(3),
  reach double precision,
  reach_at timestamptz(3),
  fuel_level double precision,
  fuel_level_at timestamptz(3),
  tire_pressure_front_left double precision,
  tire_pressure_front_left_at timestamptz(3),
  tire_pressure_front_right double precision,
  tire_pressure_front_right_at timestamptz(3),
  tire_pressure_rear_left double precision,
  tire_pressure_rear_left_at timestamptz(3),
  tire_pressure_rear_right double precision,
  tire_pressure_rear_right_at timestamptz(3),
  next_service_date date,
  next_service_date_at timestamptz(3),
  next_service_distance double precision,
  next_service_distance_at timestamptz(3),
  -- All that was ever charged, as the vehicle counts it, in kWh.
  energy_meter double precision,
  energy_meter_at timestamptz(3),
  -- The odometer at which the vehicle's own next service is due.
  next_service_odometer double precision,
  -- A copy of vehicles.track_geolocation: one row lock orders its change and a message.
  keeps_position boolean not null default true,
  -- Whether every message has to be merged and published, because another module follows the vehicle.
  watched boolean not null default false,
  -- From this odometer on, the maintenance of the vehicle must be planned again.
  replan_at_odometer double precision,
  -- The newest time in the vehicle's history: a later one cannot be there yet.
  history_until timestamptz(3),
  -- The sort key of the odometer: it changes every 20 km, so most messages change no index. The smallest numbers
  -- underflow when divided.
  odometer_bucket double precision
    generated always as (case when abs(odometer) < 20 then 0 else floor(odometer / 20) end) stored,
  constraint vehicle_statuses_pkey primary key (provider, vehicle_id),
  constraint vehicle_statuses_vehicle_fkey foreign key (provider, vehicle_id)
    references vehicles (provider, id) on delete cascade
) with (fillfactor = 50);
create index vehicle_statuses_by_odometer on vehicle_statuses (provider, odometer_bucket)
  where odometer_bucket is not null;

-- Readings over time, partitioned by month; a job creates and drops the partitions. No foreign key, which would look
-- the vehicle up for every row: writers lock the vehicle, and deleting a vehicle deletes its history.
create table vehicle_history (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  time timestamptz(3) not null,
  odometer double precision,
  fuel_level double precision,
  lat double precision,
  lng double precision,
  is_charging boolean,
  is_plugged_in boolean,
  energy_meter double precision,
  constraint vehicle_history_pkey primary key (provider, vehicle_id, time)
) partition by range (time);

-- Which databox is installed in which vehicle.
create table databoxes (
  provider text collate "C" not null,
  serial text collate "C" not null,
  version bigint not null default (extract(epoch from now()) * 1000)::bigint,
  vehicle_id text collate "C" not null,
  paired_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint databoxes_pkey primary key (provider, serial),
  constraint databoxes_vehicle_key unique (provider, vehicle_id),
  constraint databoxes_vehicle_fkey foreign key (provider, vehicle_id)
    references vehicles (provider, id) on delete cascade
);

-- The charging session that a vehicle's next message may continue.
create table charging_states (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  state jsonb not null,
  constraint charging_states_pkey primary key (provider, vehicle_id),
  constraint charging_states_vehicle_fkey foreign key (provider, vehicle_id)
    references vehicles (provider, id) on delete cascade
);

create table charging_sessions (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id text collate "C" not null,
  version bigint not null default (extract(epoch from now()) * 1000)::bigint,
  -- Detected in the telemetry, or recorded by a client.
  source text not null,
  from_time timestamptz(3) not null,
  from_level double precision,
  -- Null while the session runs.
  to_time timestamptz(3),
  to_level double precision,
  lat double precision,
  lng double precision,
  charged_kwh double precision,
  energy_basis text not null,
  -- Detected, and overlapped by a recorded one, which is returned instead.
  superseded boolean not null default false,
  -- The time of the message that ended a detected session.
  over_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint charging_sessions_pkey primary key (provider, vehicle_id, id),
  constraint charging_sessions_vehicle_fkey foreign key (provider, vehicle_id)
    references vehicles (provider, id) on delete cascade,
  constraint charging_sessions_source_check check (source in ('telemetry', 'recorded')),
  constraint charging_sessions_energy_basis_check check (energy_basis in ('measured', 'estimated')),
  constraint charging_sessions_charged_kwh_check check (charged_kwh >= 0),
  constraint charging_sessions_period_check check (to_time >= from_time)
);
create index charging_sessions_by_time on charging_sessions (provider, vehicle_id, from_time desc, id);
-- The start identifies a detected session.
create unique index charging_sessions_detected_key on charging_sessions (provider, vehicle_id, from_time)
  where source = 'telemetry';
create index charging_sessions_by_open on charging_sessions (provider, vehicle_id)
  where source = 'telemetry' and to_time is null;
-- Every written session looks for recorded ones that overlap it.
create index charging_sessions_by_record on charging_sessions (provider, vehicle_id, from_time)
  where source = 'recorded';

-- Work at regular intervals on all vehicles of a provider, or on those of a vendor or a model.
create table maintenance_schedules (
  provider text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  title text not null,
  type text not null,
  interval_months integer,
  interval_distance double precision,
  vendor text,
  model text,
  notes text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint maintenance_schedules_pkey primary key (provider, id),
  constraint maintenance_schedules_provider_fkey foreign key (provider) references providers (id),
  constraint maintenance_schedules_type_check
    check (type in ('service', 'inspection', 'repair', 'tyres', 'other')),
  constraint maintenance_schedules_interval_months_check check (interval_months > 0),
  constraint maintenance_schedules_interval_distance_check check (interval_distance > 0),
  constraint maintenance_schedules_interval_check
    check (interval_months is not null or interval_distance is not null)
);

create table maintenance_reports (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  source text not null,
  schedule_id uuid,
  title text not null,
  type text not null,
  due_date date,
  due_odometer double precision,
  interval_months integer,
  interval_distance double precision,
  last_done_date date,
  last_done_odometer double precision,
  notes text,
  -- Derived from the columns above and the odometer.
  status text not null default 'planned',
  forecast_date date,
  -- The earlier of due_date and forecast_date: the sort key of the plan.
  soonest date,
  -- Completed or deleted. The row stays, so that its source does not create the report again.
  closed_at timestamptz(3),
  -- Not required by its source now: the vehicle is inactive, or the schedule no longer covers it.
  withdrawn boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint maintenance_reports_pkey primary key (provider, vehicle_id, id),
  constraint maintenance_reports_vehicle_fkey foreign key (provider, vehicle_id)
    references vehicles (provider, id) on delete cascade,
  constraint maintenance_reports_schedule_fkey foreign key (provider, schedule_id)
    references maintenance_schedules (provider, id) on delete cascade,
  constraint maintenance_reports_source_check
    check (source in ('manual', 'schedule', 'vehicle', 'inspection')),
  constraint maintenance_reports_type_check
    check (type in ('service', 'inspection', 'repair', 'tyres', 'other')),
  constraint maintenance_reports_status_check check (status in ('planned', 'due_soon', 'overdue')),
  constraint maintenance_reports_interval_months_check check (interval_months > 0),
  constraint maintenance_reports_interval_distance_check check (interval_distance > 0),
  constraint maintenance_reports_schedule_check check ((source = 'schedule') = (schedule_id is not null))
);
create index maintenance_reports_by_due on maintenance_reports (provider, soonest, vehicle_id, id)
  where closed_at is null and not withdrawn;
create index maintenance_reports_by_schedule on maintenance_reports (provider, schedule_id)
  where schedule_id is not null;
-- At most one report per source, however often the maintenance is planned.
create unique index maintenance_reports_schedule_key on maintenance_reports (provider, vehicle_id, schedule_id)
  where schedule_id is not null;
create unique index maintenance_reports_source_key on maintenance_reports (provider, vehicle_id, source)
  where source in ('vehicle', 'inspection');

-- What is recorded of a vehicle's periodic inspection, and the estimate of the next.
create table inspections (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  -- 0 while nothing is recorded: so an estimate, which creates the row, changes no ETag.
  version integer not null default 0,
  passed_on date,
  country text,
  usage text,
  fuel text,
  category text,
  estimated_date date,
  -- The rule, its input and its confidence; or the reason why there is no estimate.
  estimate jsonb,
  estimated_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint inspections_pkey primary key (provider, vehicle_id),
  constraint inspections_vehicle_fkey foreign key (provider, vehicle_id)
    references vehicles (provider, id) on delete cascade,
  constraint inspections_usage_check check (usage in ('private', 'rental', 'taxi')),
  constraint inspections_fuel_check check (fuel in ('petrol', 'diesel', 'lpg', 'electric', 'hybrid')),
  constraint inspections_category_check check (category in ('car', 'van'))
);

-- Who may drive which vehicle. Three values identify a customer.
create table drivers (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  customer_country_code text collate "C" not null,
  customer_provider_code text collate "C" not null,
  customer_id uuid not null,
  added_at timestamptz(3) not null,
  constraint drivers_pkey
    primary key (provider, vehicle_id, customer_country_code, customer_provider_code, customer_id),
  constraint drivers_vehicle_fkey foreign key (provider, vehicle_id)
    references vehicles (provider, id) on delete cascade
);
create index drivers_by_customer on drivers
  (provider, customer_country_code, customer_provider_code, customer_id, added_at);

create table logbook_entries (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  date date not null,
  odometer double precision,
  category text not null,
  title text not null,
  description text,
  -- In minor units of the currency.
  cost_amount bigint,
  cost_currency text,
  customer_country_code text,
  customer_provider_code text,
  customer_id uuid,
  tags text[] not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint logbook_entries_pkey primary key (provider, vehicle_id, id),
  constraint logbook_entries_vehicle_fkey foreign key (provider, vehicle_id)
    references vehicles (provider, id) on delete cascade,
  constraint logbook_entries_category_check check (category in (
    'fuel', 'charging', 'service', 'repair', 'inspection', 'tyres', 'cleaning', 'toll', 'parking', 'fine', 'insurance',
    'tax', 'accident', 'other'
  )),
  constraint logbook_entries_cost_check check ((cost_amount is null) = (cost_currency is null))
);
create index logbook_entries_by_date on logbook_entries (provider, vehicle_id, date desc, created_at desc, id);

create table checklist_entries (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  position integer not null,
  -- Numbers the entries of a vehicle as they are added: it orders those that share a position.
  ordinal integer not null,
  title text not null,
  type text not null,
  options text[],
  required boolean not null default false,
  result text,
  value jsonb,
  comment text,
  customer_country_code text,
  customer_provider_code text,
  customer_id uuid,
  performed_at timestamptz(3),
  due_date date,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint checklist_entries_pkey primary key (provider, vehicle_id, id),
  constraint checklist_entries_vehicle_fkey foreign key (provider, vehicle_id)
    references vehicles (provider, id) on delete cascade,
  constraint checklist_entries_position_check check (position >= 0),
  constraint checklist_entries_type_check check (type in ('check', 'number', 'text', 'select')),
  constraint checklist_entries_options_check check ((type = 'select') = (options is not null)),
  constraint checklist_entries_result_check check (result in ('pass', 'flag', 'fail'))
);
create index checklist_entries_by_position on checklist_entries (provider, vehicle_id, position, ordinal);

-- Named lists of entries that a provider adds to its vehicles.
create table checklist_templates (
  provider text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  name text collate "C" not null,
  entries jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint checklist_templates_pkey primary key (provider, id),
  constraint checklist_templates_name_key unique (provider, name),
  constraint checklist_templates_provider_fkey foreign key (provider) references providers (id)
);

create table incidents (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  ocr_status text not null default 'NOT_STARTED',
  title text not null,
  customer_country_code text,
  customer_provider_code text,
  customer_id uuid,
  vehicle_operable boolean not null,
  incident_timestamp timestamptz,
  -- When it was created.
  report_timestamp timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  location text,
  incident_type text,
  cause text,
  notes text,
  description text,
  is_resolved boolean not null,
  -- Written and read as a whole, in the order and the words of the client: json, not jsonb.
  damages json,
  constraint incidents_pkey primary key (provider, vehicle_id, id),
  constraint incidents_vehicle_fkey foreign key (provider, vehicle_id)
    references vehicles (provider, id) on delete cascade,
  constraint incidents_ocr_status_check
    check (ocr_status in ('NOT_STARTED', 'MANUAL', 'PROCESSING', 'PROCESSED', 'ERROR'))
);
create index incidents_by_report_time on incidents (provider, report_timestamp desc, id);

-- Objects in the blob store, recorded before their bytes are written: those that no blob references are deleted.
create table stored_objects (
  provider text collate "C" not null,
  key text collate "C" not null,
  created_at timestamptz not null default now(),
  constraint stored_objects_pkey primary key (provider, key),
  constraint stored_objects_provider_fkey foreign key (provider) references providers (id)
);

-- A file of a logbook entry, an incident or a checklist entry: announced, then uploaded.
create table blobs (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  owner text not null,
  entry_id uuid not null,
  uuid uuid not null default gen_random_uuid(),
  filename text not null,
  content_type text not null,
  created_at timestamptz not null,
  -- Null until the file is uploaded.
  object_key text collate "C",
  size bigint,
  uploaded_at timestamptz,
  constraint blobs_pkey primary key (provider, uuid),
  constraint blobs_vehicle_fkey foreign key (provider, vehicle_id)
    references vehicles (provider, id) on delete cascade,
  constraint blobs_object_fkey foreign key (provider, object_key) references stored_objects (provider, key),
  constraint blobs_owner_check check (owner in ('logbook', 'incidents', 'checklist')),
  constraint blobs_upload_check
    check ((object_key is null) = (size is null) and (object_key is null) = (uploaded_at is null))
);
create index blobs_by_entry on blobs (provider, owner, entry_id);
create index blobs_by_object on blobs (provider, object_key) where object_key is not null;
