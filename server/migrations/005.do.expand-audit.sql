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
  -- The same of columns that are personal, encrypted with the key of the record.
  key_id uuid,
  personal bytea,
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

-- The personal columns of a record have a key of that record, whether or not it names a customer at the time. The key
-- goes with the erasure of any customer whom the record has named (docs/decisions/0032-audit-trail.md).
create table audit_keys (
  provider text collate "C" not null,
  -- The id of the record; of a driver, who has none, a hash of the customer.
  id uuid not null,
  key bytea not null default gen_random_bytes(32),
  constraint audit_keys_pkey primary key (provider, id)
);

create table audit_key_customers (
  provider text collate "C" not null,
  customer_country_code text collate "C" not null,
  customer_provider_code text collate "C" not null,
  customer_id uuid not null,
  key_id uuid not null,
  constraint audit_key_customers_pkey
    primary key (provider, customer_country_code, customer_provider_code, customer_id, key_id)
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
  -- Which changes are recorded, as expressions on `record`, which is the new row or the deleted one.
  condition text not null default 'true',
  update_condition text not null default 'true',
  -- The key of the personal columns, as an expression on `record`.
  key_expression text not null default 'record.id',
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

-- Creates the key of a record, or names another customer for it.
create function audit_key(
  fleet text, key_id uuid,
  old_country_code text, old_provider_code text, old_customer uuid,
  new_country_code text, new_provider_code text, new_customer uuid
) returns bytea language plpgsql as $$
begin
  insert into public.audit_keys (provider, id) values (fleet, key_id) on conflict do nothing;
  insert into public.audit_key_customers (provider, customer_country_code, customer_provider_code, customer_id, key_id)
  select fleet, country_code, provider_code, customer, key_id
  from (values (old_country_code, old_provider_code, old_customer), (new_country_code, new_provider_code, new_customer))
    as customers (country_code, provider_code, customer)
  where customer is not null
  on conflict do nothing;
  return (select key from public.audit_keys where provider = fleet and id = key_id);
end
$$;

-- Columns with their values, as an expression: of an update those that changed, with the values before and after.
create function audit_object(audited audited_tables, operation text, columns text[]) returns text language sql as $$
  with compared as (
    select attnum, quote_literal(attname) as name, replace(
        'old.% is distinct from new.%', '%',
        quote_ident(attname) || case when atttypid = 'json'::regtype then '::text' else '' end) as comparison,
      replace(shown, 'record.', 'old.') as before, replace(shown, 'record.', 'new.') as after
    from pg_attribute, format(
      case when attname = any (audited.secret) then $code$case when record.%I is not null then '***' end$code$
        else 'record.%I' end, attname) as shown
    where attrelid = audited.name::regclass and attname = any (columns)
  ), pairs as (
    select attnum, concat_ws(', ', name, case operation
      when 'insert' then after
      when 'delete' then before
      else format('case when %s then jsonb_build_array(%s, %s) end', comparison, before, after)
    end) as pair from compared
  ), objects as (
    -- A function takes a hundred arguments at most.
    select min(attnum) as first, format('jsonb_build_object(%s)', string_agg(pair, ', ' order by attnum)) as object
    from pairs group by attnum / 40
  )
  select format('jsonb_strip_nulls(%s)', coalesce(string_agg(object, ' || ' order by first), $code$'{}'$code$)) from objects
$$;

-- Creates the triggers; a migration that adds a column to an audited table calls it again. PL/pgSQL prepares every
-- expression of a function anew in each transaction, and the server parses the condition of a trigger anew in each
-- statement: expressions are few, and the condition is short (docs/decisions/0032-audit-trail.md).
create function audit_tables() returns void language plpgsql as $generator$
declare
  audited audited_tables;
  operation text;
  clear_columns text[];
  is_personal boolean;
begin
  for audited in select * from audited_tables order by name loop
    is_personal := audited.personal <> '{}';
    select array_agg(attname::text) into clear_columns
    from pg_attribute
    where attrelid = audited.name::regclass and attnum > 0 and not attisdropped
      and attname <> all (audited.left_out) and attname <> all (audited.personal);

    foreach operation in array array['insert', 'update', 'delete'] loop
      execute replace(format($function$
create or replace function audit_%1$s_%2$s() returns trigger language plpgsql as $body$
declare
  changed jsonb := %9$s;%3$s
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes%4$s)
  values (record.%5$I, tg_op, %6$L, %7$s, %8$s, current_setting('motorpool.actor')::jsonb, changed%10$s);
  return null;
end
$body$$function$,
        audited.name, operation,
        case when not is_personal then format($code$
begin%s$code$,
          case operation when 'update' then $code$
  if changed = '{}' then return null; end if;$code$ end)
        else format($code$
  personal jsonb := nullif(%1$s, '{}');
  personal_key uuid := %2$s;
  secret bytea;
begin%6$s
  secret := (select key from public.audit_keys where provider = record.provider and id = personal_key);
  if personal is not null and (secret is null%3$s) then
    secret := audit_key(record.provider, personal_key, %4$s, %5$s);
  end if;$code$,
          audit_object(audited, operation, audited.personal), audited.key_expression,
          case operation when 'update'
            then $code$ or personal ?| '{customer_country_code,customer_provider_code,customer_id}'$code$ end,
          case operation when 'insert' then 'null, null, null'
            else 'old.customer_country_code, old.customer_provider_code, old.customer_id' end,
          case operation when 'delete' then 'null, null, null'
            else 'new.customer_country_code, new.customer_provider_code, new.customer_id' end,
          case operation when 'update' then $code$
  if changed = '{}' and personal is null then return null; end if;$code$ end) end,
        case when is_personal then ', key_id, personal' end,
        audited.provider_column, audited.type,
        coalesce('record.' || audited.vehicle_column, 'null'), coalesce('record.' || audited.id_column || '::text', 'null'),
        audit_object(audited, operation, clear_columns),
        case when is_personal then $code$,
    case when personal is not null then personal_key end,
    encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes')$code$ end),
        'record.', case operation when 'delete' then 'old.' else 'new.' end);

      execute replace(format($trigger$
create or replace trigger audit_%2$s after %2$s on %1$I for each row
when (current_setting('motorpool.actor', true) <> '' and (%3$s)) execute function audit_%1$s_%2$s()$trigger$,
        audited.name, operation,
        case operation when 'update' then audited.update_condition else audited.condition end),
        'record.', case operation when 'delete' then 'old.' else 'new.' end);
    end loop;
  end loop;
end
$generator$;

insert into audited_tables (name, type, vehicle_column, id_column, left_out, personal) values
  ('vehicles', 'vehicle', 'id', 'id',
   '{provider,id,version,created_at,updated_at,search_text,item}', '{}'),
  ('databoxes', 'databox', 'vehicle_id', 'serial', '{provider,serial,version,created_at,updated_at}', '{}'),
  ('maintenance_schedules', 'maintenance-schedule', null, 'id',
   '{provider,id,version,created_at,updated_at}', '{}'),
  ('inspections', 'inspection', 'vehicle_id', 'vehicle_id',
   '{provider,vehicle_id,version,estimated_date,estimate,estimated_at,created_at,updated_at}', '{}'),
  ('logbook_entries', 'logbook-entry', 'vehicle_id', 'id',
   '{provider,vehicle_id,id,version,created_at,updated_at}',
   '{customer_country_code,customer_provider_code,customer_id,title,description,tags}'),
  ('checklist_entries', 'checklist-entry', 'vehicle_id', 'id',
   '{provider,vehicle_id,id,version,ordinal,created_at,updated_at}',
   '{customer_country_code,customer_provider_code,customer_id,title,value,comment}'),
  ('checklist_templates', 'checklist-template', null, 'id',
   '{provider,id,version,created_at,updated_at}', '{}'),
  ('incidents', 'incident', 'vehicle_id', 'id',
   '{provider,vehicle_id,id,version,report_timestamp,updated_at}',
   '{customer_country_code,customer_provider_code,customer_id,title,location,cause,notes,description,damages}'),
  -- Without the name of the file, which may tell of a customer.
  ('blobs', 'file', 'vehicle_id', 'uuid', '{provider,vehicle_id,uuid,filename,object_key,created_at}', '{}');

-- A driver is a reference alone.
insert into audited_tables (name, type, vehicle_column, left_out, personal, key_expression) values
  ('drivers', 'driver', 'vehicle_id', '{provider,vehicle_id,added_at}',
   '{customer_country_code,customer_provider_code,customer_id}',
   $$md5(concat_ws('*', record.customer_country_code, record.customer_provider_code, record.customer_id))::uuid$$);

-- Of the position, which can be erased, only a change. A session that was detected in the telemetry is no record of a
-- client. Reports of other sources than a client come and go with what they are derived from.
insert into audited_tables (name, type, vehicle_column, id_column, left_out, secret, condition, update_condition) values
  ('charging_sessions', 'charging-session', 'vehicle_id', 'id',
   '{provider,vehicle_id,id,version,superseded,over_at,created_at,updated_at}', '{lat,lng}',
   $$record.source = 'recorded'$$, $$record.source = 'recorded'$$),
  ('maintenance_reports', 'maintenance-report', 'vehicle_id', 'id',
   '{provider,vehicle_id,id,version,status,forecast_date,soonest,withdrawn,created_at,updated_at}', '{}',
   $$record.source = 'manual'$$, 'true');

insert into audited_tables (name, type, provider_column, id_column, left_out, secret) values
  ('providers', 'provider', 'id', 'id', '{id,created_at}', '{}'),
  ('realm_keys', 'key', 'provider', 'kid', '{provider,kid,private_jwk,sealed_jwk}', '{}'),
  ('clients', 'client', 'provider', 'id', '{provider,id,version,created_at,updated_at}', '{secret_hash,previous_secret_hash}'),
  ('users', 'user', 'provider', 'id', '{provider,id,version,created_at,updated_at}', '{password_hash,invitation_hash}'),
  ('second_factors', 'second-factor', 'provider', 'user_id', '{provider,user_id,last_step,created_at}', '{sealed_secret}'),
  ('token_revocations', 'revocation', 'provider', 'subject', '{provider,subject}', '{}');

select audit_tables();
