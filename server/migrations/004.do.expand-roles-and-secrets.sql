-- The service's role does not own the tables, and only an owner may analyze them: so the function runs as its owner.
create function analyze_vehicles() returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  analyze vehicles, vehicle_statuses;
end
$$;

-- Secrets under SECRETS_KEY (docs/decisions/0030-database-roles-and-secrets.md). A clear value is one of the previous
-- release, which reads it until it is sealed.
alter table realm_keys
  alter column private_jwk drop not null,
  add column sealed_jwk text,
  add constraint realm_keys_jwk_check check (num_nonnulls(private_jwk, sealed_jwk) = 1);
alter table server_secrets
  alter column value drop not null,
  add column sealed_value text,
  add constraint server_secrets_value_check check (num_nonnulls(value, sealed_value) = 1);

-- The ids of the keys that values are sealed under: a process with another key is refused.
create table secret_keys (
  id text collate "C" not null,
  created_at timestamptz not null default now(),
  constraint secret_keys_pkey primary key (id)
);
