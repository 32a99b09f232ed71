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

insert into audit_keys (provider, id, key) select provider, id, key from customer_keys;
insert into audit_key_customers (provider, customer_country_code, customer_provider_code, customer_id, key_id)
select provider, customer_country_code, customer_provider_code, customer_id, id from customer_keys;
drop table customer_keys;
drop function audit_create_key, audit_comparisons;
alter table audit_events drop column previous_key_id, drop column previous_personal;

-- The conditions are those of the triggers: on `record`, which is the new row or the deleted one.
alter table audited_tables
  add column update_condition text not null default 'true',
  -- The key of the personal columns, as an expression on `record`.
  add column key_expression text not null default 'record.id';
update audited_tables set condition = $$record.source = 'recorded'$$, update_condition = $$record.source = 'recorded'$$
where name = 'charging_sessions';
update audited_tables set condition = $$record.source = 'manual'$$ where name = 'maintenance_reports';
update audited_tables
set key_expression = $$md5(concat_ws('*', record.customer_country_code, record.customer_provider_code, record.customer_id))::uuid$$
where name = 'drivers';

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

-- Whether an update changes a column, as an expression.
create function audit_comparison(name text, type oid) returns text language sql as $$
  select replace(
    'old.% is distinct from new.%', '%', quote_ident(name) || case when type = 'json'::regtype then '::text' else '' end)
$$;

-- Columns with their values, as an expression: of an update those that changed, with the values before and after.
create function audit_object(audited audited_tables, operation text, columns text[]) returns text language sql as $$
  with compared as (
    select attnum, quote_literal(attname) as name, audit_comparison(attname, atttypid) as comparison,
      replace(shown, 'record', 'old') as before, replace(shown, 'record', 'new') as after
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

-- Creates the triggers; a migration that adds a column to an audited table calls it again. The comparison of an update
-- is the condition of its trigger, so that overwriting a record with the same calls nothing. PL/pgSQL prepares every
-- expression of a function anew in each transaction: they are few (docs/decisions/0032-audit-trail.md).
create or replace function audit_tables() returns void language plpgsql as $generator$
declare
  audited audited_tables;
  operation text;
  clear_columns text[];
  comparison text;
  is_personal boolean;
begin
  for audited in select * from audited_tables order by name loop
    is_personal := audited.personal <> '{}';
    select array_agg(attname::text) filter (where attname <> all (audited.personal)),
      string_agg(audit_comparison(attname, atttypid), ' or ' order by attnum)
    into clear_columns, comparison
    from pg_attribute
    where attrelid = audited.name::regclass and attnum > 0 and not attisdropped and attname <> all (audited.left_out);

    foreach operation in array array['insert', 'update', 'delete'] loop
      execute replace(format($function$
create or replace function audit_%1$s_%2$s() returns trigger language plpgsql as $body$%3$s
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes%4$s)
  values (record.%5$I, tg_op, %6$L, %7$s, %8$s, current_setting('motorpool.actor')::jsonb, %9$s%10$s);
  return null;
end
$body$$function$,
        audited.name, operation,
        case when not is_personal then $code$
begin$code$
        else format($code$
declare
  personal jsonb := nullif(%1$s, '{}');
  personal_key uuid := %2$s;
  secret bytea;
begin
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
            else 'new.customer_country_code, new.customer_provider_code, new.customer_id' end) end,
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
when (current_setting('motorpool.actor', true) <> '' and (%3$s) and (%4$s)) execute function audit_%1$s_%2$s()$trigger$,
        audited.name, operation,
        case operation when 'update' then audited.update_condition else audited.condition end,
        case operation when 'update' then comparison else 'true' end),
        'record.', case operation when 'delete' then 'old.' else 'new.' end);
    end loop;
  end loop;
end
$generator$;

do $$
declare
  audited text;
begin
  for audited in select name from audited_tables loop
    execute format('drop trigger audit_change on %I', audited);
    execute format('drop function audit_%s', audited);
  end loop;
end
$$;

select audit_tables();
