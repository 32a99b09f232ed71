-- Administration of clients and users: versions for their ETags, secrets that stay valid for a while after a rotation, and
-- one-time links by which people set their password. Whoever was invited has no password yet.

alter table clients
  add column version integer not null default 1,
  add column updated_at timestamptz(3) not null default now(),
  add column previous_secret_hash bytea,
  add column previous_expires_at timestamptz(3);

alter table users
  add column name text,
  add column version integer not null default 1,
  add column updated_at timestamptz(3) not null default now(),
  add column invitation_hash bytea,
  add column invitation_expires_at timestamptz(3),
  alter column password_hash drop not null;
create unique index users_by_invitation on users (provider, invitation_hash) where invitation_hash is not null;

-- The version derives from the vehicles: it goes with the provider.
alter table fleet_versions
  drop constraint fleet_versions_provider_fkey,
  add constraint fleet_versions_provider_fkey foreign key (provider) references providers (id) on delete cascade;

-- Of a session: from where, and with which browser, the person signed in.
alter table oidc_records
  add column address text,
  add column user_agent text;

-- The new columns are audited as well.
select audit_tables();
