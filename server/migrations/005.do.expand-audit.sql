-- The audit trail: who changed what, when, through which client and from where (docs/decisions/0032-audit-trail.md).

create extension if not exists pgcrypto;

create sequence audit_events_id_seq;

-- Partitioned by month; a job creates and drops the partitions. No foreign key: the trail outlives what it tells of.
create table audit_events (
  provider text collate "C" not null,
  occurred_at timestamptz(3) not null default clock_timestamp(),
  id bigint not null default nextval('audit_events_id_seq'),
  -- INSERT, UPDATE or DELETE of a record, or what happened at a sign-in.
  action text collate "C" not null,
  type text collate "C" not null,
  vehicle_id text collate "C",
  record_id text collate "C",
  -- As the setting motorpool.actor has it.
  actor jsonb not null,
  -- Columns with their values; of an update those that changed, with the values before and after.
  changes jsonb not null default '{}',
  -- The same of columns that are personal, encrypted with a key of the customer whom the row refers to. Where an update
  -- replaced the customer, the values before are apart.
  key_id uuid,
  personal bytea,
  previous_key_id uuid,
  previous_personal bytea,
  constraint audit_events_pkey primary key (provider, occurred_at, id)
) partition by range (occurred_at);

-- Chains the hashes of a provider's events, in the order in which a job has found them.
create table audit_seals (
  provider text collate "C" not null,
  number bigint not null,
  sealed_at timestamptz(3) not null,
  event_ids bigint[] not null,
  first_event_at timestamptz(3) not null,
  last_event_at timestamptz(3) not null,
  events_hash bytea not null,
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_seals_pkey primary key (provider, number)
);
create index audit_seals_by_time on audit_seals (provider, last_event_at);

-- Without its key, what the trail says of a customer is unreadable.
create table customer_keys (
  provider text collate "C" not null,
  customer_country_code text collate "C" not null,
  customer_provider_code text collate "C" not null,
  customer_id uuid not null,
  id uuid not null default gen_random_uuid(),
  key bytea not null default gen_random_bytes(32),
  constraint customer_keys_pkey
    primary key (provider, customer_country_code, customer_provider_code, customer_id),
  constraint customer_keys_id_key unique (provider, id)
);

-- The tables whose changes are recorded.
create table audited_tables (
  name text collate "C" not null,
  -- What a record is called in the trail, and the columns that tell which one it is.
  type text not null,
  provider_column text not null default 'provider',
  vehicle_column text,
  id_column text,
  -- Columns that are not compared: those above, and what no client writes.
  left_out text[] not null,
  -- Columns of which only a change is recorded, and no value.
  secret text[] not null default '{}',
  -- Columns that are personal where the row refers to a customer.
  personal text[] not null default '{}',
  -- Which changes are recorded, as an expression on `old` and `new`.
  condition text not null default 'true',
  constraint audited_tables_pkey primary key (name)
);

-- What the triggers encrypt: AES in CBC mode, with a random block in front, which has the effect of a random vector.
-- The seals cover the integrity. Null for anything else.
create function audit_decrypt(personal bytea, key bytea) returns jsonb language plpgsql as $$
begin
  return convert_from(substr(decrypt(personal, key, 'aes'), 17), 'UTF8')::jsonb;
exception when others then
  return null;
end
$$;

-- Another transaction may create the key at the same time.
create function audit_create_key(
  fleet text, country_code text, provider_code text, customer uuid, out key_id uuid, out secret bytea
) language plpgsql as $$
begin
  insert into customer_keys (provider, customer_country_code, customer_provider_code, customer_id)
  values (fleet, country_code, provider_code, customer) on conflict do nothing;
  select id, key into strict key_id, secret from customer_keys
  where provider = fleet and customer_country_code = country_code and customer_provider_code = provider_code
    and customer_id = customer;
end
$$;

-- The comparisons of an update, column by column.
create function audit_comparisons(audited audited_tables) returns text language sql as $$
  select string_agg(format($code$
    if old.%1$I%2$s is distinct from new.%1$I%2$s then
      %3$s := %3$s || jsonb_build_object(%1$L, jsonb_build_array(%4$s));
    end if;$code$,
    attname, case when atttypid = 'json'::regtype then '::text' else '' end,
    case when attname = any (audited.personal) then 'personal' else 'changes' end,
    case when attname = any (audited.secret)
      then format('case when old.%1$I is not null then ''***'' end, case when new.%1$I is not null then ''***'' end', attname)
      else format('old.%1$I, new.%1$I', attname)
    end), '' order by attnum)
  from pg_attribute
  where attrelid = audited.name::regclass and attnum > 0 and not attisdropped and attname <> all (audited.left_out)
$$;

-- Creates the triggers; a migration that adds a column to an audited table calls it again. PL/pgSQL prepares every
-- expression of a function anew in each transaction: they are few and small (docs/decisions/0032-audit-trail.md).
create function audit_tables() returns void language plpgsql as $generator$
declare
  audited audited_tables;
  columns constant text := 'provider, action, type, vehicle_id, record_id, actor, changes';
  event text;
begin
  for audited in select * from audited_tables order by name loop
    event := format(
      'coalesce(new.%1$I, old.%1$I), tg_op, %2$L, %3$s, %4$s, current_setting(''motorpool.actor'')::jsonb, changes',
      audited.provider_column, audited.type,
      coalesce('coalesce(new.' || audited.vehicle_column || ', old.' || audited.vehicle_column || ')', 'null'),
      coalesce('coalesce(new.' || audited.id_column || ', old.' || audited.id_column || ')::text', 'null'));

    execute format($function$
create or replace function audit_%1$s() returns trigger language plpgsql as $body$
declare
  changes jsonb := '{}';%2$s
begin%3$s
  if tg_op = 'UPDATE' then%4$s
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - %5$L::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - %5$L::text[]);
  end if;%6$s
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (%7$s)
  values (%8$s);
  return null;
end
$body$$function$,
      audited.name,
      case when audited.personal <> '{}' then $code$
  personal jsonb := '{}';
  key_id uuid;
  secret bytea;
  previous_personal jsonb;
  previous_key_id uuid;
  previous_secret bytea;$code$ end,
      case when audited.condition <> 'true' then format($code$
  if not (%s) then
    return null;
  end if;$code$, audited.condition) end,
      audit_comparisons(audited),
      audited.left_out,
      case when audited.secret <> '{}' then format($code$
  if tg_op <> 'UPDATE' then
    changes := changes || coalesce(
      (select jsonb_object_agg(name, '***') from unnest(%L::text[]) name where changes ? name), '{}');
  end if;$code$, audited.secret)
      when audited.personal <> '{}' then format($code$
  -- A text may describe a person also before the row refers to one, and afterwards.
  if new.customer_id is null and old.customer_id is null then
    changes := changes || personal;
  elsif personal <> '{}' or tg_op <> 'UPDATE' then
    if tg_op <> 'UPDATE' then
      personal := changes;
      changes := changes - %1$L::text[];
    end if;
    select id, key into key_id, secret from customer_keys
    where provider = coalesce(new.provider, old.provider)
      and customer_country_code = coalesce(new.customer_country_code, old.customer_country_code)
      and customer_provider_code = coalesce(new.customer_provider_code, old.customer_provider_code)
      and customer_id = coalesce(new.customer_id, old.customer_id);
    if not found then
      select * into key_id, secret from audit_create_key(
        coalesce(new.provider, old.provider), coalesce(new.customer_country_code, old.customer_country_code),
        coalesce(new.customer_provider_code, old.customer_provider_code), coalesce(new.customer_id, old.customer_id));
    end if;
    if (old.customer_country_code, old.customer_provider_code, old.customer_id)
      <> (new.customer_country_code, new.customer_provider_code, new.customer_id) then
      select * into previous_key_id, previous_secret from audit_create_key(
        old.provider, old.customer_country_code, old.customer_provider_code, old.customer_id);
      select jsonb_object_agg(name, jsonb_build_array(value -> 0, null)),
        jsonb_object_agg(name, jsonb_build_array(null, value -> 1))
      into previous_personal, personal from jsonb_each(personal) as one (name, value);
    end if;
    insert into audit_events (%2$s, key_id, personal, previous_key_id, previous_personal)
    values (%3$s,
      key_id, encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'),
      previous_key_id, encrypt(gen_random_bytes(16) || convert_to(previous_personal::text, 'UTF8'), previous_secret, 'aes'));
    return null;
  end if;$code$, audited.personal, columns, event) end,
      columns, event);

    execute format($trigger$
create or replace trigger audit_change after insert or update or delete on %1$I for each row
when (current_setting('motorpool.actor', true) <> '') execute function audit_%1$s()$trigger$, audited.name);
  end loop;
end
$generator$;

insert into audited_tables (name, type, vehicle_column, id_column, left_out, personal, condition) values
  ('vehicles', 'vehicle', 'id', 'id',
   '{provider,id,version,created_at,updated_at,search_text,item}', '{}', 'true'),
  ('databoxes', 'databox', 'vehicle_id', 'serial', '{provider,serial,version,created_at,updated_at}', '{}', 'true'),
  -- Without the position, which can be erased. A session that was detected in the telemetry is no record of a client.
  ('charging_sessions', 'charging-session', 'vehicle_id', 'id',
   '{provider,vehicle_id,id,version,lat,lng,superseded,over_at,created_at,updated_at}', '{}',
   $$coalesce(new.source, old.source) = 'recorded'$$),
  ('maintenance_schedules', 'maintenance-schedule', null, 'id',
   '{provider,id,version,created_at,updated_at}', '{}', 'true'),
  -- Reports of other sources come and go with what they are derived from.
  ('maintenance_reports', 'maintenance-report', 'vehicle_id', 'id',
   '{provider,vehicle_id,id,version,status,forecast_date,soonest,withdrawn,created_at,updated_at}', '{}',
   $$tg_op = 'UPDATE' or coalesce(new.source, old.source) = 'manual'$$),
  ('inspections', 'inspection', 'vehicle_id', 'vehicle_id',
   '{provider,vehicle_id,version,estimated_date,estimate,estimated_at,created_at,updated_at}', '{}', 'true'),
  ('drivers', 'driver', 'vehicle_id', null, '{provider,vehicle_id,added_at}',
   '{customer_country_code,customer_provider_code,customer_id}', 'true'),
  ('logbook_entries', 'logbook-entry', 'vehicle_id', 'id',
   '{provider,vehicle_id,id,version,created_at,updated_at}',
   '{customer_country_code,customer_provider_code,customer_id,title,description,tags}', 'true'),
  ('checklist_entries', 'checklist-entry', 'vehicle_id', 'id',
   '{provider,vehicle_id,id,version,ordinal,created_at,updated_at}',
   '{customer_country_code,customer_provider_code,customer_id,title,value,comment}', 'true'),
  ('checklist_templates', 'checklist-template', null, 'id',
   '{provider,id,version,created_at,updated_at}', '{}', 'true'),
  ('incidents', 'incident', 'vehicle_id', 'id',
   '{provider,vehicle_id,id,version,report_timestamp,updated_at}',
   '{customer_country_code,customer_provider_code,customer_id,title,location,cause,notes,description,damages}', 'true'),
  -- Without the name of the file, which may tell of a customer.
  ('blobs', 'file', 'vehicle_id', 'uuid', '{provider,vehicle_id,uuid,filename,object_key,created_at}', '{}', 'true');

insert into audited_tables (name, type, provider_column, id_column, left_out, secret) values
  ('providers', 'provider', 'id', 'id', '{id,created_at}', '{}'),
  ('realm_keys', 'key', 'provider', 'kid', '{provider,kid,private_jwk,sealed_jwk}', '{}'),
  ('clients', 'client', 'provider', 'id', '{provider,id,version,created_at,updated_at}', '{secret_hash,previous_secret_hash}'),
  ('users', 'user', 'provider', 'id', '{provider,id,version,created_at,updated_at}', '{password_hash,invitation_hash}'),
  ('second_factors', 'second-factor', 'provider', 'user_id', '{provider,user_id,last_step,created_at}', '{sealed_secret}'),
  ('token_revocations', 'revocation', 'provider', 'subject', '{provider,subject}', '{}');

select audit_tables();
