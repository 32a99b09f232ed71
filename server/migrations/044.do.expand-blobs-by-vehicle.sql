-- no-transaction
-- The files that go with a vehicle.
create index concurrently if not exists blobs_by_vehicle on blobs (provider, vehicle_id) where vehicle_id is not null;
