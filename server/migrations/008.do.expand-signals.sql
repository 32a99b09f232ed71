-- The state of charge of a battery beside the level of a tank: a plug-in hybrid has both.

alter table vehicle_statuses
  add column state_of_charge double precision,
  add column state_of_charge_at timestamptz(3);

alter table vehicle_history
  add column state_of_charge double precision;
