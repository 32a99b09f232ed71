-- The sessions of this installation at the MQTT broker, each held by one process at a time.
create table mqtt_sessions (
  number integer not null,
  holder uuid,
  held_until timestamp with time zone not null,
  constraint mqtt_sessions_pkey primary key (number),
  constraint mqtt_sessions_number_check check (number >= 0)
);

-- Whether the erasure of a customer also erases the positions of the vehicles while the customer drove them.
alter table provider_profiles add column erase_positions_with_customer boolean;
alter table customer_erasures add column erases_positions boolean not null default false;

select audit_tables();
