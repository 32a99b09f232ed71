-- The schema after all migrations, for reading. Written by npm run generate.

create extension pg_trgm;

CREATE OR REPLACE FUNCTION public.analyze_vehicles()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  analyze vehicles, vehicle_statuses;
end
$function$;

CREATE OR REPLACE FUNCTION public.change_fleet_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

create table blobs (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  owner text not null,
  entry_id uuid not null,
  uuid uuid not null default gen_random_uuid(),
  filename text not null,
  content_type text not null,
  created_at timestamp with time zone not null,
  object_key text collate "C",
  size bigint,
  uploaded_at timestamp with time zone,
  constraint blobs_pkey PRIMARY KEY (provider, uuid),
  constraint blobs_object_fkey FOREIGN KEY (provider, object_key) REFERENCES stored_objects(provider, key),
  constraint blobs_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint blobs_owner_check CHECK (owner = ANY (ARRAY['logbook'::text, 'incidents'::text, 'checklist'::text])),
  constraint blobs_upload_check CHECK ((object_key IS NULL) = (size IS NULL) AND (object_key IS NULL) = (uploaded_at IS NULL))
);
CREATE INDEX blobs_by_entry ON blobs USING btree (provider, owner, entry_id);
CREATE INDEX blobs_by_object ON blobs USING btree (provider, object_key) WHERE object_key IS NOT NULL;

create table charging_sessions (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id text collate "C" not null,
  version bigint not null default (EXTRACT(epoch FROM now()) * 1000::numeric)::bigint,
  source text not null,
  from_time timestamp(3) with time zone not null,
  from_level double precision,
  to_time timestamp(3) with time zone,
  to_level double precision,
  lat double precision,
  lng double precision,
  charged_kwh double precision,
  energy_basis text not null,
  superseded boolean not null default false,
  over_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint charging_sessions_pkey PRIMARY KEY (provider, vehicle_id, id),
  constraint charging_sessions_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint charging_sessions_charged_kwh_check CHECK (charged_kwh >= 0::double precision),
  constraint charging_sessions_energy_basis_check CHECK (energy_basis = ANY (ARRAY['measured'::text, 'estimated'::text])),
  constraint charging_sessions_period_check CHECK (to_time >= from_time),
  constraint charging_sessions_source_check CHECK (source = ANY (ARRAY['telemetry'::text, 'recorded'::text]))
);
CREATE INDEX charging_sessions_by_open ON charging_sessions USING btree (provider, vehicle_id) WHERE source = 'telemetry'::text AND to_time IS NULL;
CREATE INDEX charging_sessions_by_record ON charging_sessions USING btree (provider, vehicle_id, from_time) WHERE source = 'recorded'::text;
CREATE INDEX charging_sessions_by_time ON charging_sessions USING btree (provider, vehicle_id, from_time DESC, id);
CREATE UNIQUE INDEX charging_sessions_detected_key ON charging_sessions USING btree (provider, vehicle_id, from_time) WHERE source = 'telemetry'::text;

create table charging_states (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  state jsonb not null,
  constraint charging_states_pkey PRIMARY KEY (provider, vehicle_id),
  constraint charging_states_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE
);

create table checklist_entries (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  "position" integer not null,
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
  performed_at timestamp(3) with time zone,
  due_date date,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint checklist_entries_pkey PRIMARY KEY (provider, vehicle_id, id),
  constraint checklist_entries_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint checklist_entries_options_check CHECK ((type = 'select'::text) = (options IS NOT NULL)),
  constraint checklist_entries_position_check CHECK ("position" >= 0),
  constraint checklist_entries_result_check CHECK (result = ANY (ARRAY['pass'::text, 'flag'::text, 'fail'::text])),
  constraint checklist_entries_type_check CHECK (type = ANY (ARRAY['check'::text, 'number'::text, 'text'::text, 'select'::text]))
);
CREATE INDEX checklist_entries_by_position ON checklist_entries USING btree (provider, vehicle_id, "position", ordinal);

create table checklist_templates (
  provider text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  name text collate "C" not null,
  entries jsonb not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint checklist_templates_pkey PRIMARY KEY (provider, id),
  constraint checklist_templates_name_key UNIQUE (provider, name),
  constraint checklist_templates_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id)
);

create table clients (
  provider text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  secret_hash bytea,
  redirect_uris text[] not null default '{}'::text[],
  post_logout_redirect_uris text[] not null default '{}'::text[],
  demo boolean not null default false,
  created_at timestamp with time zone not null default now(),
  disabled_at timestamp with time zone,
  role text not null default 'editor'::text,
  networks text[] not null default '{}'::text[],
  expires_at timestamp with time zone,
  version integer not null default 1,
  updated_at timestamp(3) with time zone not null default now(),
  previous_secret_hash bytea,
  previous_secret_expires_at timestamp(3) with time zone,
  constraint clients_pkey PRIMARY KEY (provider, id),
  constraint clients_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id),
  constraint clients_role_check CHECK (role = ANY (ARRAY['databox'::text, 'viewer'::text, 'editor'::text, 'admin'::text]))
);

create table databoxes (
  provider text collate "C" not null,
  serial text collate "C" not null,
  version bigint not null default (EXTRACT(epoch FROM now()) * 1000::numeric)::bigint,
  vehicle_id text collate "C" not null,
  paired_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint databoxes_pkey PRIMARY KEY (provider, serial),
  constraint databoxes_vehicle_key UNIQUE (provider, vehicle_id),
  constraint databoxes_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE
);

create table drivers (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  customer_country_code text collate "C" not null,
  customer_provider_code text collate "C" not null,
  customer_id uuid not null,
  added_at timestamp(3) with time zone not null,
  constraint drivers_pkey PRIMARY KEY (provider, vehicle_id, customer_country_code, customer_provider_code, customer_id),
  constraint drivers_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE
);
CREATE INDEX drivers_by_customer ON drivers USING btree (provider, customer_country_code, customer_provider_code, customer_id, added_at);

create table fleet_versions (
  provider text collate "C" not null,
  version uuid not null,
  constraint fleet_versions_pkey PRIMARY KEY (provider),
  constraint fleet_versions_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id) ON DELETE CASCADE
);

create table incidents (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  ocr_status text not null default 'NOT_STARTED'::text,
  title text not null,
  customer_country_code text,
  customer_provider_code text,
  customer_id uuid,
  vehicle_operable boolean not null,
  incident_timestamp timestamp with time zone,
  report_timestamp timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  location text,
  incident_type text,
  cause text,
  notes text,
  description text,
  is_resolved boolean not null,
  damages json,
  constraint incidents_pkey PRIMARY KEY (provider, vehicle_id, id),
  constraint incidents_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint incidents_ocr_status_check CHECK (ocr_status = ANY (ARRAY['NOT_STARTED'::text, 'MANUAL'::text, 'PROCESSING'::text, 'PROCESSED'::text, 'ERROR'::text]))
);
CREATE INDEX incidents_by_report_time ON incidents USING btree (provider, report_timestamp DESC, id);

create table inspections (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  version integer not null default 0,
  passed_on date,
  country text,
  usage text,
  fuel text,
  category text,
  estimated_date date,
  estimate jsonb,
  estimated_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint inspections_pkey PRIMARY KEY (provider, vehicle_id),
  constraint inspections_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint inspections_category_check CHECK (category = ANY (ARRAY['car'::text, 'van'::text])),
  constraint inspections_fuel_check CHECK (fuel = ANY (ARRAY['petrol'::text, 'diesel'::text, 'lpg'::text, 'electric'::text, 'hybrid'::text])),
  constraint inspections_usage_check CHECK (usage = ANY (ARRAY['private'::text, 'rental'::text, 'taxi'::text]))
);

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
  cost_amount bigint,
  cost_currency text,
  customer_country_code text,
  customer_provider_code text,
  customer_id uuid,
  tags text[] not null default '{}'::text[],
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint logbook_entries_pkey PRIMARY KEY (provider, vehicle_id, id),
  constraint logbook_entries_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint logbook_entries_category_check CHECK (category = ANY (ARRAY['fuel'::text, 'charging'::text, 'service'::text, 'repair'::text, 'inspection'::text, 'tyres'::text, 'cleaning'::text, 'toll'::text, 'parking'::text, 'fine'::text, 'insurance'::text, 'tax'::text, 'accident'::text, 'other'::text])),
  constraint logbook_entries_cost_check CHECK ((cost_amount IS NULL) = (cost_currency IS NULL))
);
CREATE INDEX logbook_entries_by_date ON logbook_entries USING btree (provider, vehicle_id, date DESC, created_at DESC, id);

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
  status text not null default 'planned'::text,
  forecast_date date,
  soonest date,
  closed_at timestamp(3) with time zone,
  withdrawn boolean not null default false,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint maintenance_reports_pkey PRIMARY KEY (provider, vehicle_id, id),
  constraint maintenance_reports_schedule_fkey FOREIGN KEY (provider, schedule_id) REFERENCES maintenance_schedules(provider, id) ON DELETE CASCADE,
  constraint maintenance_reports_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint maintenance_reports_interval_distance_check CHECK (interval_distance > 0::double precision),
  constraint maintenance_reports_interval_months_check CHECK (interval_months > 0),
  constraint maintenance_reports_schedule_check CHECK ((source = 'schedule'::text) = (schedule_id IS NOT NULL)),
  constraint maintenance_reports_source_check CHECK (source = ANY (ARRAY['manual'::text, 'schedule'::text, 'vehicle'::text, 'inspection'::text])),
  constraint maintenance_reports_status_check CHECK (status = ANY (ARRAY['planned'::text, 'due_soon'::text, 'overdue'::text])),
  constraint maintenance_reports_type_check CHECK (type = ANY (ARRAY['service'::text, 'inspection'::text, 'repair'::text, 'tyres'::text, 'other'::text]))
);
CREATE INDEX maintenance_reports_by_due ON maintenance_reports USING btree (provider, soonest, vehicle_id, id) WHERE closed_at IS NULL AND NOT withdrawn;
CREATE INDEX maintenance_reports_by_schedule ON maintenance_reports USING btree (provider, schedule_id) WHERE schedule_id IS NOT NULL;
CREATE UNIQUE INDEX maintenance_reports_schedule_key ON maintenance_reports USING btree (provider, vehicle_id, schedule_id) WHERE schedule_id IS NOT NULL;
CREATE UNIQUE INDEX maintenance_reports_source_key ON maintenance_reports USING btree (provider, vehicle_id, source) WHERE source = ANY (ARRAY['vehicle'::text, 'inspection'::text]);

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
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint maintenance_schedules_pkey PRIMARY KEY (provider, id),
  constraint maintenance_schedules_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id),
  constraint maintenance_schedules_interval_check CHECK (interval_months IS NOT NULL OR interval_distance IS NOT NULL),
  constraint maintenance_schedules_interval_distance_check CHECK (interval_distance > 0::double precision),
  constraint maintenance_schedules_interval_months_check CHECK (interval_months > 0),
  constraint maintenance_schedules_type_check CHECK (type = ANY (ARRAY['service'::text, 'inspection'::text, 'repair'::text, 'tyres'::text, 'other'::text]))
);

create table oidc_records (
  provider text collate "C" not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  payload jsonb not null,
  grant_id text collate "C",
  uid text collate "C",
  consumed_at timestamp with time zone,
  expires_at timestamp with time zone,
  address text,
  user_agent text,
  constraint oidc_records_pkey PRIMARY KEY (provider, kind, id),
  constraint oidc_records_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id)
);
CREATE INDEX oidc_records_by_expiry ON oidc_records USING btree (expires_at);
CREATE INDEX oidc_records_by_grant ON oidc_records USING btree (provider, grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oidc_records_by_uid ON oidc_records USING btree (provider, uid) WHERE uid IS NOT NULL;

create table providers (
  id text collate "C" not null,
  name text not null,
  demo boolean not null default false,
  created_at timestamp with time zone not null default now(),
  disabled_at timestamp with time zone,
  constraint providers_pkey PRIMARY KEY (id),
  constraint providers_id_check CHECK (id ~ '^[A-Z]{2}-[A-Z0-9]{3}$'::text)
);

create table realm_keys (
  provider text collate "C" not null,
  kid text collate "C" not null,
  private_jwk jsonb,
  created_at timestamp with time zone not null default now(),
  retired_at timestamp with time zone,
  sealed_jwk text,
  constraint realm_keys_pkey PRIMARY KEY (provider, kid),
  constraint realm_keys_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id),
  constraint realm_keys_jwk_check CHECK (num_nonnulls(private_jwk, sealed_jwk) = 1)
);

create table recovery_codes (
  provider text collate "C" not null,
  user_id uuid not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (provider, user_id, code_hash),
  constraint recovery_codes_second_factor_fkey FOREIGN KEY (provider, user_id) REFERENCES second_factors(provider, user_id) ON DELETE CASCADE
);

create table schema_migrations (
  version bigint not null,
  name text,
  md5 text,
  run_at timestamp with time zone,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table second_factors (
  provider text collate "C" not null,
  user_id uuid not null,
  secret text not null,
  last_step bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint second_factors_pkey PRIMARY KEY (provider, user_id),
  constraint second_factors_user_fkey FOREIGN KEY (provider, user_id) REFERENCES users(provider, id) ON DELETE CASCADE
);

create table secret_keys (
  id text collate "C" not null,
  created_at timestamp with time zone not null default now(),
  constraint secret_keys_pkey PRIMARY KEY (id)
);

create table server_secrets (
  name text collate "C" not null,
  value bytea,
  sealed_value text,
  constraint server_secrets_pkey PRIMARY KEY (name),
  constraint server_secrets_value_check CHECK (num_nonnulls(value, sealed_value) = 1)
);

create table sign_in_failures (
  provider text collate "C" not null,
  target bytea not null,
  failures integer not null,
  failed_at timestamp with time zone not null,
  blocked_until timestamp with time zone not null,
  constraint sign_in_failures_pkey PRIMARY KEY (provider, target),
  constraint sign_in_failures_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id)
);
CREATE INDEX sign_in_failures_by_time ON sign_in_failures USING btree (failed_at);

create table stored_objects (
  provider text collate "C" not null,
  key text collate "C" not null,
  created_at timestamp with time zone not null default now(),
  constraint stored_objects_pkey PRIMARY KEY (provider, key),
  constraint stored_objects_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id)
);

create table token_revocations (
  provider text collate "C" not null,
  subject text collate "C" not null,
  version integer not null,
  revoked_at timestamp with time zone not null,
  constraint token_revocations_pkey PRIMARY KEY (provider, subject),
  constraint token_revocations_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id)
);
CREATE INDEX token_revocations_by_time ON token_revocations USING btree (provider, revoked_at);

create table users (
  provider text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  username text collate "C" not null,
  password_hash text,
  demo boolean not null default false,
  created_at timestamp with time zone not null default now(),
  disabled_at timestamp with time zone,
  role text not null default 'editor'::text,
  name text,
  version integer not null default 1,
  updated_at timestamp(3) with time zone not null default now(),
  invitation_hash bytea,
  invitation_expires_at timestamp(3) with time zone,
  constraint users_pkey PRIMARY KEY (provider, id),
  constraint users_username_key UNIQUE (provider, username),
  constraint users_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id),
  constraint users_role_check CHECK (role = ANY (ARRAY['databox'::text, 'viewer'::text, 'editor'::text, 'admin'::text]))
);
CREATE UNIQUE INDEX users_by_invitation ON users USING btree (provider, invitation_hash) WHERE invitation_hash IS NOT NULL;

create table vehicle_history (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  "time" timestamp(3) with time zone not null,
  odometer double precision,
  fuel_level double precision,
  lat double precision,
  lng double precision,
  is_charging boolean,
  is_plugged_in boolean,
  energy_meter double precision,
  constraint vehicle_history_pkey PRIMARY KEY (provider, vehicle_id, "time")
) partition by RANGE ("time");

create table vehicle_statuses (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  last_updated timestamp(3) with time zone,
  lat double precision,
  lng double precision,
  location_at timestamp(3) with time zone,
  is_charging boolean,
  is_charging_at timestamp(3) with time zone,
  is_locked boolean,
  is_locked_at timestamp(3) with time zone,
  windows_closed boolean,
  windows_closed_at timestamp(3) with time zone,
  doors_closed boolean,
  doors_closed_at timestamp(3) with time zone,
  engine_active boolean,
  engine_active_at timestamp(3) with time zone,
  headlights_active boolean,
  headlights_active_at timestamp(3) with time zone,
  immobilizer_active boolean,
  immobilizer_active_at timestamp(3) with time zone,
  is_plugged_in boolean,
  is_plugged_in_at timestamp(3) with time zone,
  odometer double precision,
  odometer_at timestamp(3) with time zone,
  reach double precision,
  reach_at timestamp(3) with time zone,
  fuel_level double precision,
  fuel_level_at timestamp(3) with time zone,
  tire_pressure_front_left double precision,
  tire_pressure_front_left_at timestamp(3) with time zone,
  tire_pressure_front_right double precision,
  tire_pressure_front_right_at timestamp(3) with time zone,
  tire_pressure_rear_left double precision,
  tire_pressure_rear_left_at timestamp(3) with time zone,
  tire_pressure_rear_right double precision,
  tire_pressure_rear_right_at timestamp(3) with time zone,
  next_service_date date,
  next_service_date_at timestamp(3) with time zone,
  next_service_distance double precision,
  next_service_distance_at timestamp(3) with time zone,
  energy_meter double precision,
  energy_meter_at timestamp(3) with time zone,
  next_service_odometer double precision,
  keeps_position boolean not null default true,
  watched boolean not null default false,
  replan_at_odometer double precision,
  history_until timestamp(3) with time zone,
  odometer_bucket double precision generated always as (
CASE
    WHEN abs(odometer) < 20::double precision THEN 0::double precision
    ELSE floor(odometer / 20::double precision)
END) stored,
  constraint vehicle_statuses_pkey PRIMARY KEY (provider, vehicle_id),
  constraint vehicle_statuses_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE
) with (fillfactor=50);
CREATE INDEX vehicle_statuses_by_odometer ON vehicle_statuses USING btree (provider, odometer_bucket) WHERE odometer_bucket IS NOT NULL;

create table vehicles (
  provider text collate "C" not null,
  id text collate "C" not null,
  version bigint not null default (EXTRACT(epoch FROM now()) * 1000::numeric)::bigint,
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
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  search_text text generated always as (lower((((((((COALESCE(vin, ''::text) || '
'::text) || COALESCE(license_plate, ''::text)) || '
'::text) || COALESCE(vendor, ''::text)) || '
'::text) || COALESCE(model, ''::text)) || '
'::text) || COALESCE(variant, ''::text))) stored,
  item text not null,
  constraint vehicles_pkey PRIMARY KEY (provider, id),
  constraint vehicles_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id)
);
CREATE INDEX vehicles_by_search_text ON vehicles USING gin (search_text gin_trgm_ops);
CREATE INDEX vehicles_by_update ON vehicles USING btree (provider, updated_at, id);

CREATE CONSTRAINT TRIGGER change_fleet_version AFTER INSERT OR DELETE OR UPDATE ON vehicles DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_fleet_version();
