-- The day on which the vehicle was seen to be reset after its own service, until somebody says that this was done
-- (docs/decisions/0016-maintenance.md). `done` is of closed reports alone: open ones may have it from before.
alter table maintenance_reports add column reset_on date;
update audited_tables set left_out = left_out || '{reset_on}' where name = 'maintenance_reports';
update event_sources set ignored = ignored || '{reset_on}' where name = 'maintenance_reports';

-- The date, in the time zone of the provider, for which the statuses of its maintenance were last refreshed.
alter table providers add column maintenance_refreshed_on date;
update audited_tables set left_out = left_out || '{maintenance_refreshed_on}' where name = 'providers';
