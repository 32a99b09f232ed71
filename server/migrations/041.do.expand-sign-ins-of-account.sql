-- no-transaction
-- All by which a user is signed in, which ends at once however much it is.
create index concurrently if not exists oidc_records_by_account on oidc_records (provider, kind, (payload->>'accountId'), id) where kind in ('Session', 'Grant') and consumed_at is null;
