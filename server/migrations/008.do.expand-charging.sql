-- Energy that is measured in part, and the vehicles whose charging sessions have to be detected again.

-- A job works it off. Whoever changes what is detected fills it again.
create table charging_redetections (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  constraint charging_redetections_pkey primary key (provider, vehicle_id),
  constraint charging_redetections_vehicle_fkey foreign key (provider, vehicle_id)
    references vehicles (provider, id) on delete cascade
);
insert into charging_redetections (provider, vehicle_id)
select v.provider, v.id from vehicles v
where exists (
  select from charging_sessions c
  where c.provider = v.provider and c.vehicle_id = v.id and c.source = 'telemetry'
);

-- All rows satisfy the narrower check: they need not be read again.
alter table charging_sessions
  drop constraint charging_sessions_energy_basis_check,
  add constraint charging_sessions_energy_basis_check
    check (energy_basis in ('measured', 'estimated', 'mixed')) not valid;
