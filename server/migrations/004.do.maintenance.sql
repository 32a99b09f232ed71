-- What a provider has done to its vehicles at regular intervals: all of them, or those of a make or a model.
create table maintenance_schedules (
  provider text collate "C" not null references providers,
  id uuid not null default gen_random_uuid(),
  title text not null,
  type text not null check (type in ('service', 'inspection', 'repair', 'tyres', 'other')),
  interval_months integer check (interval_months > 0),
  interval_distance double precision check (interval_distance > 0),
  vendor text,
  model text,
  notes text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (provider, id),
  check (interval_months is not null or interval_distance is not null)
);

create table maintenance_reports (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  source text not null check (source in ('manual', 'schedule', 'vehicle', 'inspection')),
  schedule_id uuid,
  title text not null,
  type text not null check (type in ('service', 'inspection', 'repair', 'tyres', 'other')),
  due_date date,
  due_odometer double precision,
  interval_months integer check (interval_months > 0),
  interval_distance double precision check (interval_distance > 0),
  last_done_date date,
  last_done_odometer double precision,
  notes text,
  -- What follows from the above and from the odometer.
  status text not null default 'planned' check (status in ('planned', 'due_soon', 'overdue')),
  forecast_date date,
  -- The earlier of due_date and forecast_date: the order of the plan.
  soonest date,
  -- Done or deleted, and kept so that what it came from does not bring it back.
  closed_at timestamptz(3),
  -- What it came from does not ask for it now: the vehicle is out of service, the schedule is for others.
  withdrawn boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (provider, vehicle_id, id),
  foreign key (provider, vehicle_id) references vehicles (provider, id) on delete cascade,
  foreign key (provider, schedule_id) references maintenance_schedules (provider, id) on delete cascade,
  check ((source = 'schedule') = (schedule_id is not null))
);
create index on maintenance_reports (provider, soonest, vehicle_id, id)
  where closed_at is null and not withdrawn;
-- One of each, however often it is planned.
create unique index on maintenance_reports (provider, vehicle_id, schedule_id) where schedule_id is not null;
create unique index on maintenance_reports (provider, vehicle_id, source) where source in ('vehicle', 'inspection');
create index on maintenance_reports (provider, schedule_id) where schedule_id is not null;

-- What is known of a vehicle's periodic inspection, and the estimate made of it.
create table inspections (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  passed_on date,
  country text,
  usage text,
  fuel text,
  category text,
  estimated_date date,
  -- The rule, what it was computed from, how sure it is; or why there is none.
  estimate jsonb,
  estimated_at timestamptz(3),
  primary key (provider, vehicle_id),
  foreign key (provider, vehicle_id) references vehicles (provider, id) on delete cascade
);
