-- no-transaction
-- The open reports of a vehicle, which are few of many.
create index concurrently if not exists maintenance_reports_open on maintenance_reports (provider, vehicle_id, id) where closed_at is null;
