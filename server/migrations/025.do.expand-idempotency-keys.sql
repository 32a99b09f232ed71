-- The answers of writes that were sent with an Idempotency-Key, for as long as they are given again.
create table idempotency_keys (
  provider text collate "C" not null,
  -- A hash of the client, the person, the operation and the key.
  id text collate "C" not null,
  -- A hash of the request.
  fingerprint bytea not null,
  sealed_answer text not null,
  expires_at timestamptz not null,
  constraint idempotency_keys_pkey primary key (provider, id),
  constraint idempotency_keys_provider_fkey foreign key (provider) references providers (id)
);
create index idempotency_keys_by_expiry on idempotency_keys (expires_at);
