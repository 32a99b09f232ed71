-- Failed attempts on one account, from one known device or from all others. The target is a keyed hash, since a
-- password may have been typed as the name.
create table sign_in_failures (
  provider text collate "C" not null,
  target bytea not null,
  failures integer not null,
  failed_at timestamptz not null,
  blocked_until timestamptz not null,
  constraint sign_in_failures_pkey primary key (provider, target),
  constraint sign_in_failures_provider_fkey foreign key (provider) references providers (id)
);
create index sign_in_failures_by_time on sign_in_failures (failed_at);

create table second_factors (
  provider text collate "C" not null,
  user_id uuid not null,
  sealed_secret text not null,
  -- The time step of the newest code that was accepted, as each is accepted once.
  last_step bigint not null,
  created_at timestamptz not null default now(),
  constraint second_factors_pkey primary key (provider, user_id),
  constraint second_factors_user_fkey foreign key (provider, user_id) references users (provider, id) on delete cascade
);

create table recovery_codes (
  provider text collate "C" not null,
  user_id uuid not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey primary key (provider, user_id, code_hash),
  constraint recovery_codes_second_factor_fkey foreign key (provider, user_id)
    references second_factors (provider, user_id) on delete cascade
);
