-- The audit trail: who changed what, when, through which client and from where (docs/decisions/0032-audit-trail.md).

create extension if not exists pgcrypto;

create sequence audit_events_id_seq;

-- Partitioned by month; a job creates and drops the partitions. No foreign key: the trail outlives what it tells of.
create table audit_events (
  provider text collate "C" not null,
  occurred_at timestamptz(3) not null default clock_timestamp(),
  id bigint not null default nextval('audit_events_id_seq'),
  action text collate "C" not null,
  type text collate "C" not null,
  vehicle_id text collate "C",
  record_id text collate "C",
  actor_kind text collate "C" not null,
  client_id text collate "C",
  subject text collate "C",
  username text collate "C",
  address text collate "C",
  request_id text collate "C",
  operation text collate "C",
  -- The columns that changed; null values are absent.
  before jsonb not null default '{}',
  after jsonb not null default '{}',
  -- The columns that changed and are personal: JSON that is encrypted with keys of the customers.
  personal_columns text[],
  before_key uuid,
  before_personal bytea,
  after_key uuid,
  after_personal bytea,
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

-- What audit_write encrypts: AES in CBC mode, after its random vector; the seals cover the integrity. Null for anything else.
create function audit_decrypt(personal bytea, key bytea) returns jsonb language plpgsql as $$
begin
  return convert_from(decrypt_iv(substr(personal, 17), key, substr(personal, 1, 16), 'aes'), 'UTF8')::jsonb;
exception when others then
  return null;
end
$$;

-- Finds or creates the key of a customer: the codes and the id.
create function audit_key(fleet text, customer text[], out id uuid, out key bytea) language plpgsql as $$
begin
  loop
    select k.id, k.key into id, key from customer_keys k
    where k.provider = fleet and k.customer_country_code = customer[1]
      and k.customer_provider_code = customer[2] and k.customer_id = customer[3]::uuid;
    exit when found;
    insert into customer_keys (provider, customer_country_code, customer_provider_code, customer_id)
    values (fleet, customer[1], customer[2], customer[3]::uuid) on conflict do nothing;
  end loop;
end
$$;

-- Appends an event for the actor of the transaction, unless nothing has changed.
create function audit_write(
  operation text, type text, fleet text, vehicle text, record text, before jsonb, after jsonb,
  personal_columns text[] default null, before_personal jsonb default null, after_personal jsonb default null,
  before_customer text[] default null, after_customer text[] default null
) returns boolean language plpgsql as $$
declare
  actor constant jsonb := current_setting('motorpool.actor');
  customer_key record;
  before_key uuid;
  after_key uuid;
  before_secret bytea;
  after_secret bytea;
begin
  if personal_columns is not null then
    -- A text may describe a person before the row refers to one, and afterwards.
    if before_customer[3] is null then
      before_customer := after_customer;
    elsif after_customer[3] is null then
      after_customer := before_customer;
    end if;
    if after_customer[3] is null then
      before := before || before_personal;
      after := after || after_personal;
      personal_columns := null;
    else
      customer_key := audit_key(fleet, after_customer);
      if after_personal <> '{}' then
        after_key := customer_key.id;
        after_secret := gen_random_bytes(16);
        after_secret := after_secret
          || encrypt_iv(convert_to(after_personal::text, 'UTF8'), customer_key.key, after_secret, 'aes');
      end if;
      if before_customer <> after_customer then
        customer_key := audit_key(fleet, before_customer);
      end if;
      if before_personal <> '{}' then
        before_key := customer_key.id;
        before_secret := gen_random_bytes(16);
        before_secret := before_secret
          || encrypt_iv(convert_to(before_personal::text, 'UTF8'), customer_key.key, before_secret, 'aes');
      end if;
    end if;
  end if;
  if before = '{}' and after = '{}' and personal_columns is null then
    return false;
  end if;
  insert into audit_events (
    provider, action, type, vehicle_id, record_id,
    actor_kind, client_id, subject, username, address, request_id, operation,
    before, after, personal_columns, before_key, before_personal, after_key, after_personal
  ) values (
    fleet, case operation when 'INSERT' then 'created' when 'UPDATE' then 'changed' else 'deleted' end,
    type, vehicle, record,
    actor ->> 'kind', actor ->> 'clientId', actor ->> 'subject', actor ->> 'username', actor ->> 'address',
    actor ->> 'requestId', actor ->> 'operation',
    before, after, personal_columns, before_key, before_secret, after_key, after_secret
  );
  return true;
end
$$;

-- Creates the triggers. Their functions compare column by column: a generic one costs a write several times as much.
-- A migration that adds a column to an audited table calls this again.
create function audit_tables() returns void language plpgsql as $generator$
declare
  audited audited_tables;
  comparisons text;
begin
  for audited in select * from audited_tables order by name loop
    select string_agg(format(
      case
        when a.attname = any (audited.personal) then $code$
  if old.%1$I%2$s is distinct from new.%1$I%2$s then
    personal_columns := array_append(personal_columns, %1$L);
    if old.%1$I is not null then before_personal := before_personal || jsonb_build_object(%1$L, old.%1$I); end if;
    if new.%1$I is not null then after_personal := after_personal || jsonb_build_object(%1$L, new.%1$I); end if;
  end if;$code$
        when a.attname = any (audited.secret) then $code$
  if old.%1$I%2$s is distinct from new.%1$I%2$s then
    if old.%1$I is not null then before := before || jsonb_build_object(%1$L, '***'); end if;
    if new.%1$I is not null then after := after || jsonb_build_object(%1$L, '***'); end if;
  end if;$code$
        else $code$
  if old.%1$I%2$s is distinct from new.%1$I%2$s then
    if old.%1$I is not null then before := before || jsonb_build_object(%1$L, old.%1$I); end if;
    if new.%1$I is not null then after := after || jsonb_build_object(%1$L, new.%1$I); end if;
  end if;$code$
      end, a.attname, case when a.atttypid = 'json'::regtype then '::text' else '' end), '' order by a.attnum)
    into comparisons
    from pg_attribute a
    where a.attrelid = audited.name::regclass and a.attnum > 0 and not a.attisdropped
      and a.attname <> all (audited.left_out);

    execute format($function$
create or replace function audit_%1$s() returns trigger language plpgsql as $body$
declare
  before jsonb := '{}';
  after jsonb := '{}';
  personal_columns text[];
  before_personal jsonb := '{}';
  after_personal jsonb := '{}';
  is_written boolean;
begin
  if not (%2$s) then
    return null;
  end if;%3$s
  is_written := audit_write(
    tg_op, %4$L, coalesce(new.%5$I, old.%5$I), %6$s, %7$s, before, after%8$s
  );
  return null;
end
$body$$function$,
      audited.name, audited.condition, comparisons, audited.type, audited.provider_column,
      coalesce('coalesce(new.' || audited.vehicle_column || ', old.' || audited.vehicle_column || ')', 'null'),
      coalesce('coalesce(new.' || audited.id_column || ', old.' || audited.id_column || ')::text', 'null'),
      case when audited.personal <> '{}' then $code$,
    personal_columns, before_personal, after_personal,
    array[old.customer_country_code, old.customer_provider_code, old.customer_id::text],
    array[new.customer_country_code, new.customer_provider_code, new.customer_id::text]$code$ end);

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
