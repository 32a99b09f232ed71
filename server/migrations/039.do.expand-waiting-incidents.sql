-- no-transaction
-- Incidents whose documents wait to be read, which are few of many.
create index concurrently if not exists incidents_waiting on incidents (provider, vehicle_id, id) where ocr_status = 'PROCESSING';
