-- no-transaction
-- The damages of the open incidents of a vehicle, which are few of many, in the order in which they are compared.
create index concurrently if not exists incidents_with_open_damages on incidents (provider, vehicle_id, report_timestamp, id) where not is_resolved and damages is not null;
