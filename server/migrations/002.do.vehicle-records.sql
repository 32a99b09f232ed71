-- Who may drive what. A customer is known by three values and by nothing else.
create table drivers (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  customer_country_code text collate "C" not null,
  customer_provider_code text collate "C" not null,
  customer_id uuid not null,
  -- To the millisecond, as it is answered: a filter on what was read finds it.
  added_at timestamptz(3) not null default now(),
  primary key (provider, vehicle_id, customer_country_code, customer_provider_code, customer_id),
  foreign key (provider, vehicle_id) references vehicles (provider, id) on delete cascade
);
create index on drivers (provider, customer_country_code, customer_provider_code, customer_id, added_at);

create table logbook_entries (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
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
  tags text[] not null default '{}',
  -- To the millisecond, as they are answered: a filter on what was read finds it.
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (provider, vehicle_id, id),
  foreign key (provider, vehicle_id) references vehicles (provider, id) on delete cascade,
  check ((cost_amount is null) = (cost_currency is null))
);
create index on logbook_entries (provider, vehicle_id, date desc, created_at desc, id);

create table checklist_entries (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  position integer not null check (position >= 0),
  -- Grows with every entry: where two share a position, the older comes first.
  ordinal bigint not null generated always as identity,
  title text not null,
  type text not null check (type in ('check', 'number', 'text', 'select')),
  options text[],
  required boolean not null default false,
  result text check (result in ('pass', 'flag', 'fail')),
  value jsonb,
  comment text,
  customer_country_code text,
  customer_provider_code text,
  customer_id uuid,
  performed_at timestamptz(3),
  due_date date,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (provider, vehicle_id, id),
  foreign key (provider, vehicle_id) references vehicles (provider, id) on delete cascade,
  check ((type = 'select') = (options is not null))
);
create index on checklist_entries (provider, vehicle_id, position, ordinal);

-- Named lists that a provider puts on its vehicles.
create table checklist_templates (
  provider text collate "C" not null references providers,
  id uuid not null default gen_random_uuid(),
  name text collate "C" not null,
  entries jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (provider, id),
  unique (provider, name)
);

create table incidents (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  -- Grows with every change; the ETag of the incident.
  version integer not null default 1,
  ocr_status text not null default 'NOT_STARTED'
    check (ocr_status in ('NOT_STARTED', 'MANUAL', 'PROCESSING', 'PROCESSED', 'ERROR')),
  title text not null,
  customer_country_code text,
  customer_provider_code text,
  customer_id uuid,
  vehicle_operable boolean not null,
  incident_timestamp timestamptz,
  -- To the millisecond, as it is answered: a filter on what was read finds it.
  report_timestamp timestamptz(3) not null default now(),
  location text,
  incident_type text,
  cause text,
  notes text,
  description text,
  is_resolved boolean not null,
  primary key (provider, vehicle_id, id),
  foreign key (provider, vehicle_id) references vehicles (provider, id) on delete cascade
);
create index on incidents (provider, report_timestamp desc, id);

create table incident_damages (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  incident_id uuid not null,
  -- The place in the incident's list.
  ordinal integer not null,
  title text not null,
  damage_type text not null,
  severity text not null check (severity in ('light', 'moderate', 'high')),
  repaired boolean not null,
  position text not null,
  primary key (provider, vehicle_id, incident_id, ordinal),
  foreign key (provider, vehicle_id, incident_id) references incidents (provider, vehicle_id, id) on delete cascade
);

-- Bytes that were put into the store, or are about to be: what no blob refers to is swept.
create table stored_objects (
  provider text collate "C" not null references providers,
  key text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (provider, key)
);

-- A file of a logbook entry, an incident or a checklist entry: announced, then uploaded.
create table blobs (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  owner text not null check (owner in ('logbook', 'incidents', 'checklist')),
  entry_id uuid not null,
  uuid uuid not null default gen_random_uuid(),
  filename text not null,
  content_type text not null,
  created_at timestamptz not null default now(),
  -- Absent until the bytes are there.
  object_key text collate "C",
  size bigint,
  uploaded_at timestamptz,
  primary key (provider, uuid),
  foreign key (provider, vehicle_id) references vehicles (provider, id) on delete cascade,
  foreign key (provider, object_key) references stored_objects (provider, key),
  check ((object_key is null) = (size is null) and (object_key is null) = (uploaded_at is null))
);
create index on blobs (provider, owner, entry_id);
create index on blobs (provider, object_key) where object_key is not null;
