-- Every vehicle has a status from now on: telemetry holds its row while it writes.
insert into vehicle_statuses (provider, vehicle_id)
select provider, id from vehicles
on conflict do nothing;

alter table vehicle_statuses
  -- Of every signal, when it was measured, in milliseconds: {"odometer": 1794700800000}.
  add column signal_times jsonb not null default '{}',
  -- What was charged in all, as the vehicle counts it, in kWh.
  add column energy_meter double precision,
  -- The odometer at which the vehicle's own next service is due.
  add column next_service_odometer double precision,
  -- The vehicle's track_geolocation, here as well, so that one lock orders its change and a message.
  add column keeps_position boolean not null default true,
  -- The charging session that the next message may go on with.
  add column charging jsonb,
  -- From this odometer on, what is planned for the vehicle has to be looked at again.
  add column replan_at_odometer double precision;

update vehicle_statuses s set
  keeps_position = v.track_geolocation is distinct from false,
  lat = case when v.track_geolocation is distinct from false then s.lat end,
  lng = case when v.track_geolocation is distinct from false then s.lng end,
  next_service_odometer = s.odometer + s.next_service_distance,
  signal_times = coalesce((
    select jsonb_object_agg(signal, (extract(epoch from s.last_updated) * 1000)::bigint)
    from (values
      ('location', s.lat is not null and v.track_geolocation is distinct from false),
      ('isCharging', s.is_charging is not null),
      ('isLocked', s.is_locked is not null),
      ('windowsClosed', s.windows_closed is not null),
      ('doorsClosed', s.doors_closed is not null),
      ('engineActive', s.engine_active is not null),
      ('headlightsActive', s.headlights_active is not null),
      ('immobilizerActive', s.immobilizer_active is not null),
      ('isPluggedIn', s.is_plugged_in is not null),
      ('odometer', s.odometer is not null),
      ('reach', s.reach is not null),
      ('fuelLevel', s.fuel_level is not null),
      ('tirePressureFrontLeft', s.tire_pressure_front_left is not null),
      ('tirePressureFrontRight', s.tire_pressure_front_right is not null),
      ('tirePressureRearLeft', s.tire_pressure_rear_left is not null),
      ('tirePressureRearRight', s.tire_pressure_rear_right is not null),
      ('nextServiceDate', s.next_service_date is not null),
      ('nextServiceDistance', s.next_service_distance is not null)
    ) as known (signal, present)
    where present and s.last_updated is not null
  ), '{}')
from vehicles v
where v.provider = s.provider and v.id = s.vehicle_id;

-- What was measured, moment by moment. Partitions are made and dropped by month as time goes by.
-- No foreign key: it would look the vehicle up for every row. Whoever writes holds the vehicle instead, and
-- deleting a vehicle deletes its history.
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
  primary key (provider, vehicle_id, time)
) partition by range (time);

-- Which box is built into which vehicle.
create table databoxes (
  provider text collate "C" not null,
  serial text collate "C" not null,
  vehicle_id text collate "C" not null,
  paired_at timestamptz(3) not null default now(),
  primary key (provider, serial),
  unique (provider, vehicle_id),
  foreign key (provider, vehicle_id) references vehicles (provider, id) on delete cascade
);

create table charging_sessions (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id text collate "C" not null,
  -- Found in the telemetry, or recorded from elsewhere.
  source text not null check (source in ('telemetry', 'recorded')),
  from_time timestamptz(3) not null,
  from_level double precision,
  -- Absent while it runs.
  to_time timestamptz(3),
  to_level double precision,
  lat double precision,
  lng double precision,
  charged_kwh double precision check (charged_kwh >= 0),
  energy_basis text not null check (energy_basis in ('measured', 'estimated')),
  -- Found in the telemetry, and recorded as well: the record counts, this one is not told.
  superseded boolean not null default false,
  -- Found in the telemetry: the message from which on it could not go on any more.
  over_at timestamptz(3),
  primary key (provider, vehicle_id, id),
  foreign key (provider, vehicle_id) references vehicles (provider, id) on delete cascade,
  check (to_time >= from_time)
);
create index on charging_sessions (provider, vehicle_id, from_time desc, id);
-- Two that were found never begin at once: the start is what a found one is known by.
create unique index on charging_sessions (provider, vehicle_id, from_time) where source = 'telemetry';
create index on charging_sessions (provider, vehicle_id) where source = 'telemetry' and to_time is null;
-- A record hides what was found in its time, which is looked up with every session that is written.
create index on charging_sessions (provider, vehicle_id, from_time) where source = 'recorded';
