-- no-transaction
-- What people have been granted through a client, which ends with it.
create index concurrently if not exists oidc_records_by_client on oidc_records (provider, (payload->>'clientId'), id) where kind = 'Grant' and consumed_at is null;
