-- no-transaction
create index concurrently if not exists vehicles_by_vin on vehicles (provider, (vin_key(vin) collate "C")) where active;
