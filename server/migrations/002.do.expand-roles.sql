-- What clients and users may do, from where and until when; tokens that are revoked before they expire.

alter table clients
  add column role text not null default 'editor',
  add column networks text[] not null default '{}',
  add column expires_at timestamptz,
  add constraint clients_role_check check (role in ('databox', 'viewer', 'editor', 'admin'));

alter table users
  add column role text not null default 'editor',
  add constraint users_role_check check (role in ('databox', 'viewer', 'editor', 'admin'));

update clients set role = 'admin' where demo;
update users set role = 'admin' where demo;

-- Tokens of the subject, a client or a user, that carry a lower version are refused.
create table token_revocations (
  provider text collate "C" not null,
  subject text collate "C" not null,
  version integer not null,
  revoked_at timestamptz not null,
  constraint token_revocations_pkey primary key (provider, subject),
  constraint token_revocations_provider_fkey foreign key (provider) references providers (id)
);
create index token_revocations_by_time on token_revocations (provider, revoked_at);
