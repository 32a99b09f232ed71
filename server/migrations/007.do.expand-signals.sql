-- More signals, the state of charge beside the level of a tank among them, and readings of the odometer that are in doubt.

alter table vehicle_statuses
  add column state_of_charge double precision,
  add column state_of_charge_at timestamptz(3),
  add column speed double precision,
  add column speed_at timestamptz(3),
  add column heading double precision,
  add column heading_at timestamptz(3),
  add column altitude double precision,
  add column altitude_at timestamptz(3),
  add column outside_temperature double precision,
  add column outside_temperature_at timestamptz(3),
  add column battery_voltage double precision,
  add column battery_voltage_at timestamptz(3),
  add column fuel_consumed double precision,
  add column fuel_consumed_at timestamptz(3),
  -- The newest of each further signal, by its name: its value, and its time in milliseconds.
  add column extra jsonb,
  -- The newest reading of the odometer, while it is in doubt.
  add column doubted_odometer double precision,
  add column doubted_odometer_at timestamptz(3);

alter table vehicle_history
  add column state_of_charge double precision,
  add column speed double precision,
  add column heading double precision,
  add column altitude double precision,
  add column outside_temperature double precision,
  add column battery_voltage double precision,
  add column fuel_consumed double precision,
  add column extra jsonb,
  -- False while the odometer is in doubt, true when the next reading agreed with it; null when it never was in doubt.
  add column odometer_confirmed boolean;
