-- The sessions of this installation at the MQTT broker, each held by one process at a time.
create table mqtt_sessions (
  number integer not null,
  holder uuid,
  held_until timestamp with time zone not null,
  constraint mqtt_sessions_pkey primary key (number),
  constraint mqtt_sessions_number_check check (number >= 0)
);
