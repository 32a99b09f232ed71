-- What tokens tell of people and clients beyond their names, and single tokens that were revoked.

alter table users add column email text;
-- For whom else than the fleet interface the tokens of a client are.
alter table clients add column audiences text[] not null default '{}';

-- A grant, with all access tokens of it, or the id of a token that has none.
create table revoked_tokens (
  provider text collate "C" not null,
  token_id text collate "C" not null,
  revoked_at timestamptz not null default now(),
  constraint revoked_tokens_pkey primary key (provider, token_id),
  constraint revoked_tokens_provider_fkey foreign key (provider) references providers (id)
);
create index revoked_tokens_by_time on revoked_tokens (provider, revoked_at);

-- The new columns are audited as well.
select audit_tables();
