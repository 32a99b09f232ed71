-- Energy that is measured in part, and sessions that a newer detection has to find again.

-- All rows satisfy the narrower check: they are not read again.
alter table charging_sessions
  drop constraint charging_sessions_energy_basis_check,
  add constraint charging_sessions_energy_basis_check
    check (energy_basis in ('measured', 'estimated', 'mixed')) not valid,
  -- Which version of the detection found it; that of a recorded one means nothing.
  add column detection integer not null default 1;

update audited_tables set left_out = array_append(left_out, 'detection') where name = 'charging_sessions';
select audit_tables();
