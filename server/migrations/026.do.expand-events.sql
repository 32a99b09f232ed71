-- The log of events: what has changed, in the order of the commits (docs/decisions/0050-events.md).

create sequence event_outbox_id_seq;

-- What was committed and has no number yet. Without foreign keys: every write pays for them, and events outlive their records.
create table event_outbox (
  provider text collate "C" not null,
  id bigint not null default nextval('event_outbox_id_seq'),
  event_id uuid not null default gen_random_uuid(),
  type text collate "C" not null,
  vehicle_id text collate "C",
  record_id text collate "C" not null,
  occurred_at timestamptz(3) not null default clock_timestamp(),
  -- The record as rows, before and after the change; null where there was none, or none is left.
  before jsonb,
  after jsonb,
  -- While the transaction runs that changes several rows of the record.
  transaction xid8,
  constraint event_outbox_pkey primary key (provider, id)
) with (toast_tuple_target = 8160);
create index event_outbox_by_transaction on event_outbox (provider, record_id, transaction) where transaction is not null;

create table event_log (
  provider text collate "C" not null,
  number bigint not null,
  event_id uuid not null,
  type text collate "C" not null,
  vehicle_id text collate "C",
  record_id text collate "C" not null,
  occurred_at timestamptz(3) not null,
  before jsonb,
  after jsonb,
  -- The record told of a customer who was erased.
  erased boolean not null default false,
  constraint event_log_pkey primary key (provider, number)
);

-- Locked while the events of a provider are numbered.
create table event_sequences (
  provider text collate "C" not null,
  last_number bigint not null default 0,
  constraint event_sequences_pkey primary key (provider)
);

-- The tables whose rows are records of the interface.
create table event_sources (
  name text collate "C" not null,
  -- What an event calls the record: `vehicle` in `vehicle.updated.v1`.
  type text not null,
  vehicle_column text,
  -- As an expression on `record`, which is the row after the change, or the deleted one.
  id_expression text not null default 'record.id',
  -- Columns that no event has.
  left_out text[] not null default '{}',
  -- Columns whose change alone is no event.
  ignored text[] not null default '{version,created_at,updated_at}',
  -- Whether clients see the row, as an expression on `record`.
  visible text not null default 'true',
  -- Whether an update is none for clients, as an expression on `old` and `new`.
  growth text not null default 'false',
  constraint event_sources_pkey primary key (name)
);

-- Creates the triggers. They are deferred, so that events have the order of the commits. PL/pgSQL prepares every expression
-- anew in each transaction: they are few, and have no more than the table needs.
create function event_triggers() returns void language plpgsql as $generator$
declare
  source event_sources;
  is_whole boolean;
  before_state text;
  after_state text;
begin
  for source in select * from event_sources order by name loop
    is_whole := source.visible = 'true';
    before_state := case when is_whole then 'to_jsonb(old)'
      else format('(case when %s then to_jsonb(old) end)', replace(source.visible, 'record.', 'old.')) end;
    after_state := case when is_whole then 'to_jsonb(new)'
      else format('(case when %s then to_jsonb(new) end)', replace(source.visible, 'record.', 'new.')) end;
    execute format($function$
create or replace function event_%1$s() returns trigger language plpgsql as $body$
begin
  if %2$s - %4$L::text[] is not distinct from %3$s - %4$L::text[]%5$s then
    return null;
  end if;
  insert into public.event_outbox (provider, type, vehicle_id, record_id, before, after)
  values (coalesce(new.provider, old.provider), %6$L || %7$s || '.v1', %8$s, %9$s,
    jsonb_strip_nulls(%2$s%10$s), jsonb_strip_nulls(%3$s%10$s));
  return null;
end
$body$$function$,
      source.name, before_state, after_state, source.left_out || source.ignored,
      case when source.growth <> 'false' then format($code$ or (tg_op = 'UPDATE' and (%s))$code$, source.growth) end,
      source.type || '.',
      case when is_whole then $code$case tg_op when 'INSERT' then 'created' when 'DELETE' then 'deleted' else 'updated' end$code$
        else format($code$case when %s is null then 'created' when %s is null then 'deleted' else 'updated' end$code$,
          before_state, after_state) end,
      case when source.vehicle_column is null then 'null'
        else replace('coalesce(new.%, old.%)', '%', quote_ident(source.vehicle_column)) end,
      format('coalesce((%s)::text, (%s)::text)',
        replace(source.id_expression, 'record.', 'new.'), replace(source.id_expression, 'record.', 'old.')),
      case when source.left_out <> '{}' then format(' - %L::text[]', source.left_out) end);
    execute format('drop trigger if exists event on %I', source.name);
    execute format($trigger$
create constraint trigger event after insert or update or delete on %1$I deferrable initially deferred for each row
when (current_setting('motorpool.events', true) is distinct from 'off') execute function event_%1$s()$trigger$, source.name);
  end loop;
end
$generator$;

insert into event_sources (name, type, vehicle_column, left_out) values
  ('vehicles', 'vehicle', 'id', '{search_text,item}'),
  ('incidents', 'incident', 'vehicle_id', '{}'),
  ('logbook_entries', 'logbook-entry', 'vehicle_id', '{}'),
  ('checklist_templates', 'checklist-template', null, '{}'),
  ('maintenance_schedules', 'maintenance-schedule', null, '{}');

insert into event_sources (name, type, vehicle_column, ignored) values
  ('checklist_entries', 'checklist-entry', 'vehicle_id', '{version,ordinal,created_at,updated_at}');

insert into event_sources (name, type, vehicle_column, id_expression) values
  ('databoxes', 'databox', 'vehicle_id', 'record.serial');

insert into event_sources (name, type, vehicle_column, id_expression, left_out) values
  ('blobs', 'file', 'vehicle_id', $$concat_ws('/', record.owner, record.entry_id, record.uuid)$$, '{object_key}');

-- The customer is the id; an erasure of one makes its events anonymous.
insert into event_sources (name, type, vehicle_column, id_expression) values
  ('drivers', 'driver', 'vehicle_id',
   $$concat_ws('/', record.customer_country_code, record.customer_provider_code, record.customer_id)$$);

-- What is recorded is in the estimate that follows from it. The age and the odometer in it change all the time.
insert into event_sources (name, type, vehicle_column, id_expression, visible, growth) values
  ('inspections', 'inspection', 'vehicle_id', 'record.vehicle_id', 'record.estimate is not null',
   $$old.estimated_date is not distinct from new.estimated_date
     and old.estimate #- '{basis,ageMonths}' #- '{basis,odometer}' is not distinct from
       new.estimate #- '{basis,ageMonths}' #- '{basis,odometer}'$$);

insert into event_sources (name, type, vehicle_column, ignored, visible) values
  ('maintenance_reports', 'maintenance-report', 'vehicle_id', '{version,forecast_date,soonest,created_at,updated_at}',
   $$(record.closed_at is null or record.done) and not record.withdrawn$$);

-- Without the position, which can be erased. A session that is detected makes no event while it grows.
insert into event_sources (name, type, vehicle_column, left_out, ignored, visible, growth) values
  ('charging_sessions', 'charging-session', 'vehicle_id', '{lat,lng,over_at}', '{version,superseded,created_at,updated_at}',
   'not record.superseded',
   $$new.source = 'telemetry' and old.to_time is null and new.to_time is null and old.superseded = new.superseded$$);

-- Without the customer.
insert into event_sources (name, type, left_out) values
  ('customer_erasures', 'user-erasure', '{customer_country_code,customer_provider_code,customer_id}');

select event_triggers();

-- Records of several rows. What they were is stored before the first change of a transaction, and what they are at its end.

create function invoice_state(fleet text, record text) returns jsonb language sql stable as $$
  select to_jsonb(i) || jsonb_build_object('lines', coalesce((
    select jsonb_agg(to_jsonb(l) order by l.position) from invoice_lines l where l.provider = fleet and l.invoice_id = i.id
  ), '[]'))
  from invoices i where i.provider = fleet and i.id = record::uuid
$$;

create function profile_state(fleet text, record text) returns jsonb language sql stable as $$
  select coalesce(to_jsonb(f), '{}') || jsonb_build_object('provider', p.id, 'name', p.name)
  from providers p left join provider_profiles f on f.provider = p.id where p.id = fleet
$$;

-- The arguments of these triggers: the type, and the columns of the provider and of the record.
create function begin_event() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(coalesce(new, old));
  fleet text := changed ->> tg_argv[1];
  record text := changed ->> tg_argv[2];
  state jsonb;
begin
  if not exists (
    select from public.event_outbox o
    where o.provider = fleet and o.record_id = record and o.transaction = pg_current_xact_id() and o.type = tg_argv[0]
  ) then
    execute format('select public.%I($1, $2)', tg_argv[0] || '_state') into state using fleet, record;
    insert into public.event_outbox (provider, type, record_id, before, transaction)
    values (fleet, tg_argv[0], record, jsonb_strip_nulls(state), pg_current_xact_id());
  end if;
  return coalesce(new, old);
end
$$;

create function end_event() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(coalesce(new, old));
  fleet text := changed ->> tg_argv[1];
  record text := changed ->> tg_argv[2];
  state jsonb;
  ignored text[] := '{version,created_at,updated_at}';
begin
  execute format('select public.%I($1, $2)', tg_argv[0] || '_state') into state using fleet, record;
  state := jsonb_strip_nulls(state);
  delete from public.event_outbox o
  where o.provider = fleet and o.record_id = record and o.transaction = pg_current_xact_id() and o.type = tg_argv[0]
    and o.before - ignored is not distinct from state - ignored;
  update public.event_outbox o
  set id = nextval('event_outbox_id_seq'), occurred_at = clock_timestamp(), transaction = null, after = state,
    type = tg_argv[0] || case when before is null then '.created.v1' when state is null then '.deleted.v1' else '.updated.v1' end
  where o.provider = fleet and o.record_id = record and o.transaction = pg_current_xact_id() and o.type = tg_argv[0];
  return null;
end
$$;

create trigger begin_event before insert or update or delete on invoices for each row
when (current_setting('motorpool.events', true) is distinct from 'off') execute function begin_event('invoice', 'provider', 'id');
create constraint trigger end_event after insert or update or delete on invoices deferrable initially deferred for each row
when (current_setting('motorpool.events', true) is distinct from 'off') execute function end_event('invoice', 'provider', 'id');

create trigger begin_event before insert or update or delete on invoice_lines for each row
when (current_setting('motorpool.events', true) is distinct from 'off') execute function begin_event('invoice', 'provider', 'invoice_id');
create constraint trigger end_event after insert or update or delete on invoice_lines deferrable initially deferred for each row
when (current_setting('motorpool.events', true) is distinct from 'off') execute function end_event('invoice', 'provider', 'invoice_id');

create trigger begin_event before insert or update on provider_profiles for each row
when (current_setting('motorpool.events', true) is distinct from 'off') execute function begin_event('profile', 'provider', 'provider');
create constraint trigger end_event after insert or update on provider_profiles deferrable initially deferred for each row
when (current_setting('motorpool.events', true) is distinct from 'off') execute function end_event('profile', 'provider', 'provider');

create trigger begin_event before update on providers for each row
when (old.name <> new.name) execute function begin_event('profile', 'id', 'id');
create constraint trigger end_event after update on providers deferrable initially deferred for each row
when (old.name <> new.name) execute function end_event('profile', 'id', 'id');

-- The stream of statuses: which processes have somebody who listens, and which vehicles have reported meanwhile.

create unlogged table status_watchers (
  provider text collate "C" not null,
  watcher uuid not null,
  watches_until timestamptz not null,
  constraint status_watchers_pkey primary key (provider, watcher)
);

create unlogged table status_changes (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  changed_at timestamptz not null,
  constraint status_changes_pkey primary key (provider, vehicle_id)
);
create index status_changes_by_time on status_changes (provider, changed_at);
