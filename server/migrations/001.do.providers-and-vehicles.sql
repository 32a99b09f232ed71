-- An asset provider is also the realm of its tokens; its id is the realm's name.
create table providers (
  id text collate "C" primary key check (id ~ '^[A-Z]{2}-[A-Z0-9]{3}$'),
  name text not null,
  demo boolean not null default false,
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

create table realm_keys (
  provider text collate "C" not null references providers,
  kid text not null,
  private_jwk jsonb not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  primary key (provider, kid)
);

create table clients (
  provider text collate "C" not null references providers,
  id text collate "C" not null,
  name text not null,
  -- Absent for a public client.
  secret_hash bytea,
  redirect_uris text[] not null default '{}',
  post_logout_redirect_uris text[] not null default '{}',
  -- Known to everyone, so honoured by the demo alone.
  demo boolean not null default false,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  primary key (provider, id)
);

create table users (
  provider text collate "C" not null references providers,
  id uuid not null default gen_random_uuid(),
  username text collate "C" not null,
  password_hash text not null,
  demo boolean not null default false,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  primary key (provider, id),
  unique (provider, username)
);

-- What the authorization server remembers of a sign-in: sessions, codes, grants, refresh tokens.
create table oidc_records (
  provider text collate "C" not null references providers,
  kind text not null,
  id text collate "C" not null,
  payload jsonb not null,
  grant_id text collate "C",
  uid text collate "C",
  consumed_at timestamptz,
  expires_at timestamptz,
  primary key (provider, kind, id)
);
create index on oidc_records (provider, grant_id) where grant_id is not null;
create index on oidc_records (provider, uid) where uid is not null;
create index on oidc_records (expires_at);

-- Keys of the service itself, made on first use, the same for every process.
create table server_secrets (
  name text primary key,
  value bytea not null
);

create table vehicles (
  provider text collate "C" not null references providers,
  id text collate "C" not null,
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
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (provider, id)
);

-- Apart from the vehicle, because telemetry writes it a thousand times as often.
create table vehicle_statuses (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  last_updated timestamptz(3),
  lat double precision,
  lng double precision,
  is_charging boolean,
  is_locked boolean,
  windows_closed boolean,
  doors_closed boolean,
  engine_active boolean,
  headlights_active boolean,
  immobilizer_active boolean,
  is_plugged_in boolean,
  odometer double precision,
  reach double precision,
  fuel_level double precision,
  tire_pressure_front_left double precision,
  tire_pressure_front_right double precision,
  tire_pressure_rear_left double precision,
  tire_pressure_rear_right double precision,
  next_service_date date,
  next_service_distance double precision,
  primary key (provider, vehicle_id),
  foreign key (provider, vehicle_id) references vehicles (provider, id) on delete cascade
);
