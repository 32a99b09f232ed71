-- Views of the vehicles that the people of a provider share (docs/decisions/0059-settings-and-views.md).
create table saved_views (
  provider text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  name text not null,
  definition jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint saved_views_pkey primary key (provider, id),
  constraint saved_views_name_key unique (provider, name),
  constraint saved_views_provider_fkey foreign key (provider) references providers (id)
);

insert into audited_tables (name, type, vehicle_column, id_column, left_out) values
  ('saved_views', 'saved-view', null, 'id', '{provider,id,version,created_at,updated_at}');
select audit_tables();

insert into event_sources (name, type, vehicle_column, left_out) values
  ('saved_views', 'saved-view', null, '{}');
select event_triggers();
