-- The tables of the peer: copies of the service's, with the same keys and indexes as far as they serve it, in a
-- schema of its own. The damages of an incident are a table, as an object mapper has them.
drop schema if exists nest cascade;
create schema nest;

create table nest.vehicles (like public.vehicles including defaults including indexes);
create table nest.vehicle_statuses (like public.vehicle_statuses including defaults including indexes);
create table nest.vehicle_history (like public.vehicle_history including defaults including indexes);
create table nest.charging_sessions (like public.charging_sessions including defaults including indexes);
create table nest.incidents (like public.incidents including defaults including indexes);
create table nest.incident_damages (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  incident_id uuid not null,
  ordinal integer not null,
  title text not null,
  damage_type text not null,
  severity text not null,
  repaired boolean not null,
  position text not null,
  primary key (provider, vehicle_id, incident_id, ordinal)
);

insert into nest.vehicles select * from public.vehicles;
insert into nest.vehicle_statuses select * from public.vehicle_statuses;
insert into nest.charging_sessions select * from public.charging_sessions;
insert into nest.incidents select * from public.incidents;
insert into nest.incident_damages
select i.provider, i.vehicle_id, i.id, ordinal, damage.title, damage_type, severity, repaired, position
from public.incidents i,
  rows from (
    json_to_recordset(i.damages) as (title text, "damageType" text, severity text, repaired boolean, position text)
  ) with ordinality as damage (title, damage_type, severity, repaired, position, ordinal);

alter table nest.vehicle_statuses add foreign key (provider, vehicle_id) references nest.vehicles;
alter table nest.charging_sessions add foreign key (provider, vehicle_id) references nest.vehicles;
alter table nest.incidents add foreign key (provider, vehicle_id) references nest.vehicles;
alter table nest.incident_damages add foreign key (provider, vehicle_id, incident_id) references nest.incidents;

-- What the service keeps for its own statements the peer has no use for; it has indexes for its own.
alter table nest.vehicles drop column search_text, drop column item;
alter table nest.vehicle_statuses drop column odometer_bucket;
alter table nest.charging_sessions drop column item;
alter table nest.incidents drop column damages;
create index on nest.vehicles using gin (
  vin gin_trgm_ops, license_plate gin_trgm_ops, vendor gin_trgm_ops, model gin_trgm_ops, variant gin_trgm_ops
);
create index on nest.vehicle_statuses (provider, odometer desc nulls last, vehicle_id);

analyze nest.vehicles, nest.vehicle_statuses, nest.charging_sessions, nest.incidents, nest.incident_damages;
