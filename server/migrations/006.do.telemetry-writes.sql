-- Half of each page stays free for the next state of its rows: so a message changes no index.
alter table vehicle_statuses set (fillfactor = 50);

-- A column a signal instead of one document of all: to take that apart and put it together took longer than all else.
alter table vehicle_statuses
  add column location_at timestamptz(3),
  add column is_charging_at timestamptz(3),
  add column is_locked_at timestamptz(3),
  add column windows_closed_at timestamptz(3),
  add column doors_closed_at timestamptz(3),
  add column engine_active_at timestamptz(3),
  add column headlights_active_at timestamptz(3),
  add column immobilizer_active_at timestamptz(3),
  add column is_plugged_in_at timestamptz(3),
  add column odometer_at timestamptz(3),
  add column reach_at timestamptz(3),
  add column fuel_level_at timestamptz(3),
  add column tire_pressure_front_left_at timestamptz(3),
  add column tire_pressure_front_right_at timestamptz(3),
  add column tire_pressure_rear_left_at timestamptz(3),
  add column tire_pressure_rear_right_at timestamptz(3),
  add column next_service_date_at timestamptz(3),
  add column next_service_distance_at timestamptz(3),
  add column energy_meter_at timestamptz(3),
  -- No moment of the vehicle's history is newer: what is told of a later one cannot be there yet.
  add column history_until timestamptz(3);

-- In one go over the table, which leaves no dead rows behind.
alter table vehicle_statuses
  alter location_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'location')::double precision / 1000),
  alter is_charging_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'isCharging')::double precision / 1000),
  alter is_locked_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'isLocked')::double precision / 1000),
  alter windows_closed_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'windowsClosed')::double precision / 1000),
  alter doors_closed_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'doorsClosed')::double precision / 1000),
  alter engine_active_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'engineActive')::double precision / 1000),
  alter headlights_active_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'headlightsActive')::double precision / 1000),
  alter immobilizer_active_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'immobilizerActive')::double precision / 1000),
  alter is_plugged_in_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'isPluggedIn')::double precision / 1000),
  alter odometer_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'odometer')::double precision / 1000),
  alter reach_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'reach')::double precision / 1000),
  alter fuel_level_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'fuelLevel')::double precision / 1000),
  alter tire_pressure_front_left_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'tirePressureFrontLeft')::double precision / 1000),
  alter tire_pressure_front_right_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'tirePressureFrontRight')::double precision / 1000),
  alter tire_pressure_rear_left_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'tirePressureRearLeft')::double precision / 1000),
  alter tire_pressure_rear_right_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'tirePressureRearRight')::double precision / 1000),
  alter next_service_date_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'nextServiceDate')::double precision / 1000),
  alter next_service_distance_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'nextServiceDistance')::double precision / 1000),
  alter energy_meter_at type timestamptz(3)
    using to_timestamp((signal_times ->> 'energyMeter')::double precision / 1000);

alter table vehicle_statuses drop column signal_times;

update vehicle_statuses s set history_until = known.until
from (
  select o.provider, o.vehicle_id, (
    select max(h.time) from vehicle_history h where h.provider = o.provider and h.vehicle_id = o.vehicle_id
  ) as until
  from vehicle_statuses o
) known
where s.provider = known.provider and s.vehicle_id = known.vehicle_id and known.until is not null;
