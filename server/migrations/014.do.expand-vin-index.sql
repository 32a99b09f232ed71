-- no-transaction
create index concurrently if not exists vehicles_by_vin on vehicles (provider, (compact_text(vin) collate "C")) where active;
