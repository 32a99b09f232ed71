-- The class of a vehicle in European law, and by which review of the rules an estimate was made. The category is what
-- the previous release reads and writes.
alter table inspections
  add column vehicle_class text,
  add column rules_reviewed_on date,
  add constraint inspections_vehicle_class_check
    check (vehicle_class in ('M1', 'N1', 'N2', 'N3', 'M2', 'M3', 'O', 'L')) not valid;
update audited_tables set left_out = left_out || '{rules_reviewed_on}' where name = 'inspections';

-- Schedules that name months of the calendar, and how long before something is due it is due soon.
alter table maintenance_schedules
  add column calendar_months smallint[],
  add column reminder_days integer,
  add column reminder_distance double precision,
  drop constraint maintenance_schedules_interval_check,
  add constraint maintenance_schedules_interval_check
    check (interval_months is not null or interval_distance is not null or calendar_months is not null);
alter table maintenance_reports
  add column calendar_months smallint[],
  add column reminder_days integer,
  add column reminder_distance double precision,
  -- Whether a closed report was done, rather than deleted.
  add column done boolean not null default false;

-- The report whose completion an entry tells of. No foreign key: the history outlives the plan.
alter table logbook_entries add column maintenance_report_id uuid;

select audit_tables();
