-- A column a signal for when it was measured, instead of one document of all times: to take that apart and put
-- it together took longer than all else.
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
  add column history_until timestamptz;

update vehicle_statuses s set
  location_at = to_timestamp((signal_times ->> 'location')::double precision / 1000),
  is_charging_at = to_timestamp((signal_times ->> 'isCharging')::double precision / 1000),
  is_locked_at = to_timestamp((signal_times ->> 'isLocked')::double precision / 1000),
  windows_closed_at = to_timestamp((signal_times ->> 'windowsClosed')::double precision / 1000),
  doors_closed_at = to_timestamp((signal_times ->> 'doorsClosed')::double precision / 1000),
  engine_active_at = to_timestamp((signal_times ->> 'engineActive')::double precision / 1000),
  headlights_active_at = to_timestamp((signal_times ->> 'headlightsActive')::double precision / 1000),
  immobilizer_active_at = to_timestamp((signal_times ->> 'immobilizerActive')::double precision / 1000),
  is_plugged_in_at = to_timestamp((signal_times ->> 'isPluggedIn')::double precision / 1000),
  odometer_at = to_timestamp((signal_times ->> 'odometer')::double precision / 1000),
  reach_at = to_timestamp((signal_times ->> 'reach')::double precision / 1000),
  fuel_level_at = to_timestamp((signal_times ->> 'fuelLevel')::double precision / 1000),
  tire_pressure_front_left_at = to_timestamp((signal_times ->> 'tirePressureFrontLeft')::double precision / 1000),
  tire_pressure_front_right_at = to_timestamp((signal_times ->> 'tirePressureFrontRight')::double precision / 1000),
  tire_pressure_rear_left_at = to_timestamp((signal_times ->> 'tirePressureRearLeft')::double precision / 1000),
  tire_pressure_rear_right_at = to_timestamp((signal_times ->> 'tirePressureRearRight')::double precision / 1000),
  next_service_date_at = to_timestamp((signal_times ->> 'nextServiceDate')::double precision / 1000),
  next_service_distance_at = to_timestamp((signal_times ->> 'nextServiceDistance')::double precision / 1000),
  energy_meter_at = to_timestamp((signal_times ->> 'energyMeter')::double precision / 1000),
  history_until = (
    select max(h.time) from vehicle_history h where h.provider = s.provider and h.vehicle_id = s.vehicle_id
  );

alter table vehicle_statuses drop column signal_times;

-- Half of each page is for the next state of its rows: so a message changes no index.
alter table vehicle_statuses set (fillfactor = 50);

-- Another type: so the table is written anew, in such pages, and what was dropped takes no place any more.
alter table vehicle_statuses alter column history_until type timestamptz(3);
