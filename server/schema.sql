-- The schema after all migrations, for reading. Written by npm run generate.

create extension pg_trgm;

create extension pgcrypto;

create collation text_order (provider = icu, locale = 'und', deterministic = true);

CREATE OR REPLACE FUNCTION public.analyze_vehicles()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  analyze vehicles, vehicle_statuses;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_blobs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
begin
  if tg_op = 'UPDATE' then
    if old.owner is distinct from new.owner then
      changes := changes || jsonb_build_object('owner', jsonb_build_array(old.owner, new.owner));
    end if;
    if old.entry_id is distinct from new.entry_id then
      changes := changes || jsonb_build_object('entry_id', jsonb_build_array(old.entry_id, new.entry_id));
    end if;
    if old.content_type is distinct from new.content_type then
      changes := changes || jsonb_build_object('content_type', jsonb_build_array(old.content_type, new.content_type));
    end if;
    if old.size is distinct from new.size then
      changes := changes || jsonb_build_object('size', jsonb_build_array(old.size, new.size));
    end if;
    if old.uploaded_at is distinct from new.uploaded_at then
      changes := changes || jsonb_build_object('uploaded_at', jsonb_build_array(old.uploaded_at, new.uploaded_at));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,vehicle_id,uuid,filename,object_key,created_at}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,vehicle_id,uuid,filename,object_key,created_at}'::text[]);
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'file', coalesce(new.vehicle_id, old.vehicle_id), coalesce(new.uuid, old.uuid)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_charging_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
begin
  if not (coalesce(new.source, old.source) = 'recorded') then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    if old.source is distinct from new.source then
      changes := changes || jsonb_build_object('source', jsonb_build_array(old.source, new.source));
    end if;
    if old.from_time is distinct from new.from_time then
      changes := changes || jsonb_build_object('from_time', jsonb_build_array(old.from_time, new.from_time));
    end if;
    if old.from_level is distinct from new.from_level then
      changes := changes || jsonb_build_object('from_level', jsonb_build_array(old.from_level, new.from_level));
    end if;
    if old.to_time is distinct from new.to_time then
      changes := changes || jsonb_build_object('to_time', jsonb_build_array(old.to_time, new.to_time));
    end if;
    if old.to_level is distinct from new.to_level then
      changes := changes || jsonb_build_object('to_level', jsonb_build_array(old.to_level, new.to_level));
    end if;
    if old.charged_kwh is distinct from new.charged_kwh then
      changes := changes || jsonb_build_object('charged_kwh', jsonb_build_array(old.charged_kwh, new.charged_kwh));
    end if;
    if old.energy_basis is distinct from new.energy_basis then
      changes := changes || jsonb_build_object('energy_basis', jsonb_build_array(old.energy_basis, new.energy_basis));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,vehicle_id,id,version,lat,lng,superseded,over_at,created_at,updated_at}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,vehicle_id,id,version,lat,lng,superseded,over_at,created_at,updated_at}'::text[]);
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'charging-session', coalesce(new.vehicle_id, old.vehicle_id), coalesce(new.id, old.id)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_checklist_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
  personal jsonb := '{}';
  key_id uuid;
  secret bytea;
  previous_personal jsonb;
  previous_key_id uuid;
  previous_secret bytea;
begin
  if tg_op = 'UPDATE' then
    if old."position" is distinct from new."position" then
      changes := changes || jsonb_build_object('position', jsonb_build_array(old."position", new."position"));
    end if;
    if old.title is distinct from new.title then
      personal := personal || jsonb_build_object('title', jsonb_build_array(old.title, new.title));
    end if;
    if old.type is distinct from new.type then
      changes := changes || jsonb_build_object('type', jsonb_build_array(old.type, new.type));
    end if;
    if old.options is distinct from new.options then
      changes := changes || jsonb_build_object('options', jsonb_build_array(old.options, new.options));
    end if;
    if old.required is distinct from new.required then
      changes := changes || jsonb_build_object('required', jsonb_build_array(old.required, new.required));
    end if;
    if old.result is distinct from new.result then
      changes := changes || jsonb_build_object('result', jsonb_build_array(old.result, new.result));
    end if;
    if old.value is distinct from new.value then
      personal := personal || jsonb_build_object('value', jsonb_build_array(old.value, new.value));
    end if;
    if old.comment is distinct from new.comment then
      personal := personal || jsonb_build_object('comment', jsonb_build_array(old.comment, new.comment));
    end if;
    if old.customer_country_code is distinct from new.customer_country_code then
      personal := personal || jsonb_build_object('customer_country_code', jsonb_build_array(old.customer_country_code, new.customer_country_code));
    end if;
    if old.customer_provider_code is distinct from new.customer_provider_code then
      personal := personal || jsonb_build_object('customer_provider_code', jsonb_build_array(old.customer_provider_code, new.customer_provider_code));
    end if;
    if old.customer_id is distinct from new.customer_id then
      personal := personal || jsonb_build_object('customer_id', jsonb_build_array(old.customer_id, new.customer_id));
    end if;
    if old.performed_at is distinct from new.performed_at then
      changes := changes || jsonb_build_object('performed_at', jsonb_build_array(old.performed_at, new.performed_at));
    end if;
    if old.due_date is distinct from new.due_date then
      changes := changes || jsonb_build_object('due_date', jsonb_build_array(old.due_date, new.due_date));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,vehicle_id,id,version,ordinal,created_at,updated_at}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,vehicle_id,id,version,ordinal,created_at,updated_at}'::text[]);
  end if;
  -- A text may describe a person also before the row refers to one, and afterwards.
  if new.customer_id is null and old.customer_id is null then
    changes := changes || personal;
  elsif personal <> '{}' or tg_op <> 'UPDATE' then
    if tg_op <> 'UPDATE' then
      personal := changes;
      changes := changes - '{customer_country_code,customer_provider_code,customer_id,title,value,comment}'::text[];
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
    insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal, previous_key_id, previous_personal)
    values (coalesce(new.provider, old.provider), tg_op, 'checklist-entry', coalesce(new.vehicle_id, old.vehicle_id), coalesce(new.id, old.id)::text, current_setting('motorpool.actor')::jsonb, changes,
      key_id, encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'),
      previous_key_id, encrypt(gen_random_bytes(16) || convert_to(previous_personal::text, 'UTF8'), previous_secret, 'aes'));
    return null;
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'checklist-entry', coalesce(new.vehicle_id, old.vehicle_id), coalesce(new.id, old.id)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_checklist_templates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
begin
  if tg_op = 'UPDATE' then
    if old.name is distinct from new.name then
      changes := changes || jsonb_build_object('name', jsonb_build_array(old.name, new.name));
    end if;
    if old.entries is distinct from new.entries then
      changes := changes || jsonb_build_object('entries', jsonb_build_array(old.entries, new.entries));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,id,version,created_at,updated_at}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,id,version,created_at,updated_at}'::text[]);
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'checklist-template', null, coalesce(new.id, old.id)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_clients()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
begin
  if tg_op = 'UPDATE' then
    if old.name is distinct from new.name then
      changes := changes || jsonb_build_object('name', jsonb_build_array(old.name, new.name));
    end if;
    if old.secret_hash is distinct from new.secret_hash then
      changes := changes || jsonb_build_object('secret_hash', jsonb_build_array(case when old.secret_hash is not null then '***' end, case when new.secret_hash is not null then '***' end));
    end if;
    if old.redirect_uris is distinct from new.redirect_uris then
      changes := changes || jsonb_build_object('redirect_uris', jsonb_build_array(old.redirect_uris, new.redirect_uris));
    end if;
    if old.post_logout_redirect_uris is distinct from new.post_logout_redirect_uris then
      changes := changes || jsonb_build_object('post_logout_redirect_uris', jsonb_build_array(old.post_logout_redirect_uris, new.post_logout_redirect_uris));
    end if;
    if old.demo is distinct from new.demo then
      changes := changes || jsonb_build_object('demo', jsonb_build_array(old.demo, new.demo));
    end if;
    if old.disabled_at is distinct from new.disabled_at then
      changes := changes || jsonb_build_object('disabled_at', jsonb_build_array(old.disabled_at, new.disabled_at));
    end if;
    if old.role is distinct from new.role then
      changes := changes || jsonb_build_object('role', jsonb_build_array(old.role, new.role));
    end if;
    if old.networks is distinct from new.networks then
      changes := changes || jsonb_build_object('networks', jsonb_build_array(old.networks, new.networks));
    end if;
    if old.expires_at is distinct from new.expires_at then
      changes := changes || jsonb_build_object('expires_at', jsonb_build_array(old.expires_at, new.expires_at));
    end if;
    if old.previous_secret_hash is distinct from new.previous_secret_hash then
      changes := changes || jsonb_build_object('previous_secret_hash', jsonb_build_array(case when old.previous_secret_hash is not null then '***' end, case when new.previous_secret_hash is not null then '***' end));
    end if;
    if old.previous_expires_at is distinct from new.previous_expires_at then
      changes := changes || jsonb_build_object('previous_expires_at', jsonb_build_array(old.previous_expires_at, new.previous_expires_at));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,id,version,created_at,updated_at}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,id,version,created_at,updated_at}'::text[]);
  end if;
  if tg_op <> 'UPDATE' then
    changes := changes || coalesce(
      (select jsonb_object_agg(name, '***') from unnest('{secret_hash,previous_secret_hash}'::text[]) name where changes ? name), '{}');
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'client', null, coalesce(new.id, old.id)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_comparisons(audited audited_tables)
 RETURNS text
 LANGUAGE sql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.audit_create_key(fleet text, country_code text, provider_code text, customer uuid, OUT key_id uuid, OUT secret bytea)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
begin
  insert into customer_keys (provider, customer_country_code, customer_provider_code, customer_id)
  values (fleet, country_code, provider_code, customer) on conflict do nothing;
  select id, key into strict key_id, secret from customer_keys
  where provider = fleet and customer_country_code = country_code and customer_provider_code = provider_code
    and customer_id = customer;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_databoxes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
begin
  if tg_op = 'UPDATE' then
    if old.vehicle_id is distinct from new.vehicle_id then
      changes := changes || jsonb_build_object('vehicle_id', jsonb_build_array(old.vehicle_id, new.vehicle_id));
    end if;
    if old.paired_at is distinct from new.paired_at then
      changes := changes || jsonb_build_object('paired_at', jsonb_build_array(old.paired_at, new.paired_at));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,serial,version,created_at,updated_at}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,serial,version,created_at,updated_at}'::text[]);
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'databox', coalesce(new.vehicle_id, old.vehicle_id), coalesce(new.serial, old.serial)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_decrypt(personal bytea, key bytea)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
begin
  return convert_from(substr(decrypt(personal, key, 'aes'), 17), 'UTF8')::jsonb;
exception when others then
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_drivers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
  personal jsonb := '{}';
  key_id uuid;
  secret bytea;
  previous_personal jsonb;
  previous_key_id uuid;
  previous_secret bytea;
begin
  if tg_op = 'UPDATE' then
    if old.customer_country_code is distinct from new.customer_country_code then
      personal := personal || jsonb_build_object('customer_country_code', jsonb_build_array(old.customer_country_code, new.customer_country_code));
    end if;
    if old.customer_provider_code is distinct from new.customer_provider_code then
      personal := personal || jsonb_build_object('customer_provider_code', jsonb_build_array(old.customer_provider_code, new.customer_provider_code));
    end if;
    if old.customer_id is distinct from new.customer_id then
      personal := personal || jsonb_build_object('customer_id', jsonb_build_array(old.customer_id, new.customer_id));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,vehicle_id,added_at}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,vehicle_id,added_at}'::text[]);
  end if;
  -- A text may describe a person also before the row refers to one, and afterwards.
  if new.customer_id is null and old.customer_id is null then
    changes := changes || personal;
  elsif personal <> '{}' or tg_op <> 'UPDATE' then
    if tg_op <> 'UPDATE' then
      personal := changes;
      changes := changes - '{customer_country_code,customer_provider_code,customer_id}'::text[];
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
    insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal, previous_key_id, previous_personal)
    values (coalesce(new.provider, old.provider), tg_op, 'driver', coalesce(new.vehicle_id, old.vehicle_id), null, current_setting('motorpool.actor')::jsonb, changes,
      key_id, encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'),
      previous_key_id, encrypt(gen_random_bytes(16) || convert_to(previous_personal::text, 'UTF8'), previous_secret, 'aes'));
    return null;
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'driver', coalesce(new.vehicle_id, old.vehicle_id), null, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_incidents()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
  personal jsonb := '{}';
  key_id uuid;
  secret bytea;
  previous_personal jsonb;
  previous_key_id uuid;
  previous_secret bytea;
begin
  if tg_op = 'UPDATE' then
    if old.ocr_status is distinct from new.ocr_status then
      changes := changes || jsonb_build_object('ocr_status', jsonb_build_array(old.ocr_status, new.ocr_status));
    end if;
    if old.title is distinct from new.title then
      personal := personal || jsonb_build_object('title', jsonb_build_array(old.title, new.title));
    end if;
    if old.customer_country_code is distinct from new.customer_country_code then
      personal := personal || jsonb_build_object('customer_country_code', jsonb_build_array(old.customer_country_code, new.customer_country_code));
    end if;
    if old.customer_provider_code is distinct from new.customer_provider_code then
      personal := personal || jsonb_build_object('customer_provider_code', jsonb_build_array(old.customer_provider_code, new.customer_provider_code));
    end if;
    if old.customer_id is distinct from new.customer_id then
      personal := personal || jsonb_build_object('customer_id', jsonb_build_array(old.customer_id, new.customer_id));
    end if;
    if old.vehicle_operable is distinct from new.vehicle_operable then
      changes := changes || jsonb_build_object('vehicle_operable', jsonb_build_array(old.vehicle_operable, new.vehicle_operable));
    end if;
    if old.incident_timestamp is distinct from new.incident_timestamp then
      changes := changes || jsonb_build_object('incident_timestamp', jsonb_build_array(old.incident_timestamp, new.incident_timestamp));
    end if;
    if old.location is distinct from new.location then
      personal := personal || jsonb_build_object('location', jsonb_build_array(old.location, new.location));
    end if;
    if old.incident_type is distinct from new.incident_type then
      changes := changes || jsonb_build_object('incident_type', jsonb_build_array(old.incident_type, new.incident_type));
    end if;
    if old.cause is distinct from new.cause then
      personal := personal || jsonb_build_object('cause', jsonb_build_array(old.cause, new.cause));
    end if;
    if old.notes is distinct from new.notes then
      personal := personal || jsonb_build_object('notes', jsonb_build_array(old.notes, new.notes));
    end if;
    if old.description is distinct from new.description then
      personal := personal || jsonb_build_object('description', jsonb_build_array(old.description, new.description));
    end if;
    if old.is_resolved is distinct from new.is_resolved then
      changes := changes || jsonb_build_object('is_resolved', jsonb_build_array(old.is_resolved, new.is_resolved));
    end if;
    if old.damages::text is distinct from new.damages::text then
      personal := personal || jsonb_build_object('damages', jsonb_build_array(old.damages, new.damages));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,vehicle_id,id,version,report_timestamp,updated_at}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,vehicle_id,id,version,report_timestamp,updated_at}'::text[]);
  end if;
  -- A text may describe a person also before the row refers to one, and afterwards.
  if new.customer_id is null and old.customer_id is null then
    changes := changes || personal;
  elsif personal <> '{}' or tg_op <> 'UPDATE' then
    if tg_op <> 'UPDATE' then
      personal := changes;
      changes := changes - '{customer_country_code,customer_provider_code,customer_id,title,location,cause,notes,description,damages}'::text[];
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
    insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal, previous_key_id, previous_personal)
    values (coalesce(new.provider, old.provider), tg_op, 'incident', coalesce(new.vehicle_id, old.vehicle_id), coalesce(new.id, old.id)::text, current_setting('motorpool.actor')::jsonb, changes,
      key_id, encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'),
      previous_key_id, encrypt(gen_random_bytes(16) || convert_to(previous_personal::text, 'UTF8'), previous_secret, 'aes'));
    return null;
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'incident', coalesce(new.vehicle_id, old.vehicle_id), coalesce(new.id, old.id)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_inspections()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
begin
  if tg_op = 'UPDATE' then
    if old.passed_on is distinct from new.passed_on then
      changes := changes || jsonb_build_object('passed_on', jsonb_build_array(old.passed_on, new.passed_on));
    end if;
    if old.country is distinct from new.country then
      changes := changes || jsonb_build_object('country', jsonb_build_array(old.country, new.country));
    end if;
    if old.usage is distinct from new.usage then
      changes := changes || jsonb_build_object('usage', jsonb_build_array(old.usage, new.usage));
    end if;
    if old.fuel is distinct from new.fuel then
      changes := changes || jsonb_build_object('fuel', jsonb_build_array(old.fuel, new.fuel));
    end if;
    if old.category is distinct from new.category then
      changes := changes || jsonb_build_object('category', jsonb_build_array(old.category, new.category));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,vehicle_id,version,estimated_date,estimate,estimated_at,created_at,updated_at}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,vehicle_id,version,estimated_date,estimate,estimated_at,created_at,updated_at}'::text[]);
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'inspection', coalesce(new.vehicle_id, old.vehicle_id), coalesce(new.vehicle_id, old.vehicle_id)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_logbook_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
  personal jsonb := '{}';
  key_id uuid;
  secret bytea;
  previous_personal jsonb;
  previous_key_id uuid;
  previous_secret bytea;
begin
  if tg_op = 'UPDATE' then
    if old.date is distinct from new.date then
      changes := changes || jsonb_build_object('date', jsonb_build_array(old.date, new.date));
    end if;
    if old.odometer is distinct from new.odometer then
      changes := changes || jsonb_build_object('odometer', jsonb_build_array(old.odometer, new.odometer));
    end if;
    if old.category is distinct from new.category then
      changes := changes || jsonb_build_object('category', jsonb_build_array(old.category, new.category));
    end if;
    if old.title is distinct from new.title then
      personal := personal || jsonb_build_object('title', jsonb_build_array(old.title, new.title));
    end if;
    if old.description is distinct from new.description then
      personal := personal || jsonb_build_object('description', jsonb_build_array(old.description, new.description));
    end if;
    if old.cost_amount is distinct from new.cost_amount then
      changes := changes || jsonb_build_object('cost_amount', jsonb_build_array(old.cost_amount, new.cost_amount));
    end if;
    if old.cost_currency is distinct from new.cost_currency then
      changes := changes || jsonb_build_object('cost_currency', jsonb_build_array(old.cost_currency, new.cost_currency));
    end if;
    if old.customer_country_code is distinct from new.customer_country_code then
      personal := personal || jsonb_build_object('customer_country_code', jsonb_build_array(old.customer_country_code, new.customer_country_code));
    end if;
    if old.customer_provider_code is distinct from new.customer_provider_code then
      personal := personal || jsonb_build_object('customer_provider_code', jsonb_build_array(old.customer_provider_code, new.customer_provider_code));
    end if;
    if old.customer_id is distinct from new.customer_id then
      personal := personal || jsonb_build_object('customer_id', jsonb_build_array(old.customer_id, new.customer_id));
    end if;
    if old.tags is distinct from new.tags then
      personal := personal || jsonb_build_object('tags', jsonb_build_array(old.tags, new.tags));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,vehicle_id,id,version,created_at,updated_at}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,vehicle_id,id,version,created_at,updated_at}'::text[]);
  end if;
  -- A text may describe a person also before the row refers to one, and afterwards.
  if new.customer_id is null and old.customer_id is null then
    changes := changes || personal;
  elsif personal <> '{}' or tg_op <> 'UPDATE' then
    if tg_op <> 'UPDATE' then
      personal := changes;
      changes := changes - '{customer_country_code,customer_provider_code,customer_id,title,description,tags}'::text[];
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
    insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal, previous_key_id, previous_personal)
    values (coalesce(new.provider, old.provider), tg_op, 'logbook-entry', coalesce(new.vehicle_id, old.vehicle_id), coalesce(new.id, old.id)::text, current_setting('motorpool.actor')::jsonb, changes,
      key_id, encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'),
      previous_key_id, encrypt(gen_random_bytes(16) || convert_to(previous_personal::text, 'UTF8'), previous_secret, 'aes'));
    return null;
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'logbook-entry', coalesce(new.vehicle_id, old.vehicle_id), coalesce(new.id, old.id)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_maintenance_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
begin
  if not (tg_op = 'UPDATE' or coalesce(new.source, old.source) = 'manual') then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    if old.source is distinct from new.source then
      changes := changes || jsonb_build_object('source', jsonb_build_array(old.source, new.source));
    end if;
    if old.schedule_id is distinct from new.schedule_id then
      changes := changes || jsonb_build_object('schedule_id', jsonb_build_array(old.schedule_id, new.schedule_id));
    end if;
    if old.title is distinct from new.title then
      changes := changes || jsonb_build_object('title', jsonb_build_array(old.title, new.title));
    end if;
    if old.type is distinct from new.type then
      changes := changes || jsonb_build_object('type', jsonb_build_array(old.type, new.type));
    end if;
    if old.due_date is distinct from new.due_date then
      changes := changes || jsonb_build_object('due_date', jsonb_build_array(old.due_date, new.due_date));
    end if;
    if old.due_odometer is distinct from new.due_odometer then
      changes := changes || jsonb_build_object('due_odometer', jsonb_build_array(old.due_odometer, new.due_odometer));
    end if;
    if old.interval_months is distinct from new.interval_months then
      changes := changes || jsonb_build_object('interval_months', jsonb_build_array(old.interval_months, new.interval_months));
    end if;
    if old.interval_distance is distinct from new.interval_distance then
      changes := changes || jsonb_build_object('interval_distance', jsonb_build_array(old.interval_distance, new.interval_distance));
    end if;
    if old.last_done_date is distinct from new.last_done_date then
      changes := changes || jsonb_build_object('last_done_date', jsonb_build_array(old.last_done_date, new.last_done_date));
    end if;
    if old.last_done_odometer is distinct from new.last_done_odometer then
      changes := changes || jsonb_build_object('last_done_odometer', jsonb_build_array(old.last_done_odometer, new.last_done_odometer));
    end if;
    if old.notes is distinct from new.notes then
      changes := changes || jsonb_build_object('notes', jsonb_build_array(old.notes, new.notes));
    end if;
    if old.closed_at is distinct from new.closed_at then
      changes := changes || jsonb_build_object('closed_at', jsonb_build_array(old.closed_at, new.closed_at));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,vehicle_id,id,version,status,forecast_date,soonest,withdrawn,created_at,updated_at}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,vehicle_id,id,version,status,forecast_date,soonest,withdrawn,created_at,updated_at}'::text[]);
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'maintenance-report', coalesce(new.vehicle_id, old.vehicle_id), coalesce(new.id, old.id)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_maintenance_schedules()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
begin
  if tg_op = 'UPDATE' then
    if old.title is distinct from new.title then
      changes := changes || jsonb_build_object('title', jsonb_build_array(old.title, new.title));
    end if;
    if old.type is distinct from new.type then
      changes := changes || jsonb_build_object('type', jsonb_build_array(old.type, new.type));
    end if;
    if old.interval_months is distinct from new.interval_months then
      changes := changes || jsonb_build_object('interval_months', jsonb_build_array(old.interval_months, new.interval_months));
    end if;
    if old.interval_distance is distinct from new.interval_distance then
      changes := changes || jsonb_build_object('interval_distance', jsonb_build_array(old.interval_distance, new.interval_distance));
    end if;
    if old.vendor is distinct from new.vendor then
      changes := changes || jsonb_build_object('vendor', jsonb_build_array(old.vendor, new.vendor));
    end if;
    if old.model is distinct from new.model then
      changes := changes || jsonb_build_object('model', jsonb_build_array(old.model, new.model));
    end if;
    if old.notes is distinct from new.notes then
      changes := changes || jsonb_build_object('notes', jsonb_build_array(old.notes, new.notes));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,id,version,created_at,updated_at}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,id,version,created_at,updated_at}'::text[]);
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'maintenance-schedule', null, coalesce(new.id, old.id)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_providers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
begin
  if tg_op = 'UPDATE' then
    if old.name is distinct from new.name then
      changes := changes || jsonb_build_object('name', jsonb_build_array(old.name, new.name));
    end if;
    if old.demo is distinct from new.demo then
      changes := changes || jsonb_build_object('demo', jsonb_build_array(old.demo, new.demo));
    end if;
    if old.disabled_at is distinct from new.disabled_at then
      changes := changes || jsonb_build_object('disabled_at', jsonb_build_array(old.disabled_at, new.disabled_at));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{id,created_at}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{id,created_at}'::text[]);
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.id, old.id), tg_op, 'provider', null, coalesce(new.id, old.id)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_realm_keys()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
begin
  if tg_op = 'UPDATE' then
    if old.created_at is distinct from new.created_at then
      changes := changes || jsonb_build_object('created_at', jsonb_build_array(old.created_at, new.created_at));
    end if;
    if old.retired_at is distinct from new.retired_at then
      changes := changes || jsonb_build_object('retired_at', jsonb_build_array(old.retired_at, new.retired_at));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,kid,private_jwk,sealed_jwk}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,kid,private_jwk,sealed_jwk}'::text[]);
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'key', null, coalesce(new.kid, old.kid)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_second_factors()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
begin
  if tg_op = 'UPDATE' then
    if old.sealed_secret is distinct from new.sealed_secret then
      changes := changes || jsonb_build_object('sealed_secret', jsonb_build_array(case when old.sealed_secret is not null then '***' end, case when new.sealed_secret is not null then '***' end));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,user_id,last_step,created_at}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,user_id,last_step,created_at}'::text[]);
  end if;
  if tg_op <> 'UPDATE' then
    changes := changes || coalesce(
      (select jsonb_object_agg(name, '***') from unnest('{sealed_secret}'::text[]) name where changes ? name), '{}');
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'second-factor', null, coalesce(new.user_id, old.user_id)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_tables()
 RETURNS void
 LANGUAGE plpgsql
AS $functionx$
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
$functionx$;

CREATE OR REPLACE FUNCTION public.audit_token_revocations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
begin
  if tg_op = 'UPDATE' then
    if old.version is distinct from new.version then
      changes := changes || jsonb_build_object('version', jsonb_build_array(old.version, new.version));
    end if;
    if old.revoked_at is distinct from new.revoked_at then
      changes := changes || jsonb_build_object('revoked_at', jsonb_build_array(old.revoked_at, new.revoked_at));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,subject}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,subject}'::text[]);
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'revocation', null, coalesce(new.subject, old.subject)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_users()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
begin
  if tg_op = 'UPDATE' then
    if old.username is distinct from new.username then
      changes := changes || jsonb_build_object('username', jsonb_build_array(old.username, new.username));
    end if;
    if old.password_hash is distinct from new.password_hash then
      changes := changes || jsonb_build_object('password_hash', jsonb_build_array(case when old.password_hash is not null then '***' end, case when new.password_hash is not null then '***' end));
    end if;
    if old.demo is distinct from new.demo then
      changes := changes || jsonb_build_object('demo', jsonb_build_array(old.demo, new.demo));
    end if;
    if old.disabled_at is distinct from new.disabled_at then
      changes := changes || jsonb_build_object('disabled_at', jsonb_build_array(old.disabled_at, new.disabled_at));
    end if;
    if old.role is distinct from new.role then
      changes := changes || jsonb_build_object('role', jsonb_build_array(old.role, new.role));
    end if;
    if old.name is distinct from new.name then
      changes := changes || jsonb_build_object('name', jsonb_build_array(old.name, new.name));
    end if;
    if old.invitation_hash is distinct from new.invitation_hash then
      changes := changes || jsonb_build_object('invitation_hash', jsonb_build_array(case when old.invitation_hash is not null then '***' end, case when new.invitation_hash is not null then '***' end));
    end if;
    if old.invitation_expires_at is distinct from new.invitation_expires_at then
      changes := changes || jsonb_build_object('invitation_expires_at', jsonb_build_array(old.invitation_expires_at, new.invitation_expires_at));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,id,version,created_at,updated_at}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,id,version,created_at,updated_at}'::text[]);
  end if;
  if tg_op <> 'UPDATE' then
    changes := changes || coalesce(
      (select jsonb_object_agg(name, '***') from unnest('{password_hash,invitation_hash}'::text[]) name where changes ? name), '{}');
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'user', null, coalesce(new.id, old.id)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_vehicles()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes jsonb := '{}';
begin
  if tg_op = 'UPDATE' then
    if old.blob_uuid is distinct from new.blob_uuid then
      changes := changes || jsonb_build_object('blob_uuid', jsonb_build_array(old.blob_uuid, new.blob_uuid));
    end if;
    if old.default_image is distinct from new.default_image then
      changes := changes || jsonb_build_object('default_image', jsonb_build_array(old.default_image, new.default_image));
    end if;
    if old.active is distinct from new.active then
      changes := changes || jsonb_build_object('active', jsonb_build_array(old.active, new.active));
    end if;
    if old.vin is distinct from new.vin then
      changes := changes || jsonb_build_object('vin', jsonb_build_array(old.vin, new.vin));
    end if;
    if old.vendor is distinct from new.vendor then
      changes := changes || jsonb_build_object('vendor', jsonb_build_array(old.vendor, new.vendor));
    end if;
    if old.model is distinct from new.model then
      changes := changes || jsonb_build_object('model', jsonb_build_array(old.model, new.model));
    end if;
    if old.variant is distinct from new.variant then
      changes := changes || jsonb_build_object('variant', jsonb_build_array(old.variant, new.variant));
    end if;
    if old.license_plate is distinct from new.license_plate then
      changes := changes || jsonb_build_object('license_plate', jsonb_build_array(old.license_plate, new.license_plate));
    end if;
    if old.seats is distinct from new.seats then
      changes := changes || jsonb_build_object('seats', jsonb_build_array(old.seats, new.seats));
    end if;
    if old.first_registration_date is distinct from new.first_registration_date then
      changes := changes || jsonb_build_object('first_registration_date', jsonb_build_array(old.first_registration_date, new.first_registration_date));
    end if;
    if old.build_year is distinct from new.build_year then
      changes := changes || jsonb_build_object('build_year', jsonb_build_array(old.build_year, new.build_year));
    end if;
    if old.ev_battery_capacity is distinct from new.ev_battery_capacity then
      changes := changes || jsonb_build_object('ev_battery_capacity', jsonb_build_array(old.ev_battery_capacity, new.ev_battery_capacity));
    end if;
    if old.ice_tank_capacity is distinct from new.ice_tank_capacity then
      changes := changes || jsonb_build_object('ice_tank_capacity', jsonb_build_array(old.ice_tank_capacity, new.ice_tank_capacity));
    end if;
    if old.track_geolocation is distinct from new.track_geolocation then
      changes := changes || jsonb_build_object('track_geolocation', jsonb_build_array(old.track_geolocation, new.track_geolocation));
    end if;
  elsif tg_op = 'INSERT' then
    changes := jsonb_strip_nulls(to_jsonb(new) - '{provider,id,version,created_at,updated_at,search_text,item}'::text[]);
  else
    changes := jsonb_strip_nulls(to_jsonb(old) - '{provider,id,version,created_at,updated_at,search_text,item}'::text[]);
  end if;
  if changes = '{}' then
    return null;
  end if;
  insert into audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (coalesce(new.provider, old.provider), tg_op, 'vehicle', coalesce(new.id, old.id), coalesce(new.id, old.id)::text, current_setting('motorpool.actor')::jsonb, changes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.change_fleet_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  fleet text := coalesce(new.provider, old.provider);
  done text := coalesce(current_setting('motorpool.versioned_fleets', true), '');
begin
  if fleet <> all (string_to_array(done, ',')) then
    insert into fleet_versions (provider, version) values (fleet, gen_random_uuid())
    on conflict (provider) do update set version = excluded.version;
    perform set_config('motorpool.versioned_fleets', concat_ws(',', nullif(done, ''), fleet), true);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.compact_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN translate(folded_text(value), ' -'::text, ''::text);

CREATE OR REPLACE FUNCTION public.folded_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(value) = length(value)) THEN (lower((value COLLATE "C")) COLLATE text_order) ELSE translate(replace(replace(replace(replace(regexp_replace(NORMALIZE(lower((value COLLATE text_order)), NFD), '[̀-ͯ]'::text, ''::text, 'g'::text), 'ß'::text, 'ss'::text), 'æ'::text, 'ae'::text), 'œ'::text, 'oe'::text), 'þ'::text, 'th'::text), 'øłđðħıŧς  ‐‑‒–—―−'::text, 'olddhitσ  -------'::text) END;

CREATE OR REPLACE FUNCTION public.normalized_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(value) = length(value)) THEN (lower((value COLLATE "C")) COLLATE text_order) ELSE NORMALIZE(lower((value COLLATE text_order)), NFC) END;

CREATE OR REPLACE FUNCTION public.search_trigrams(provider text, search_text text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE COST 1e+06
BEGIN ATOMIC
 SELECT array_agg(((search_trigrams.provider || ' '::text) || (trigram.trigram COLLATE "C"))) AS array_agg
    FROM unnest(show_trgm(translate(folded_text(search_trigrams.search_text), ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~'::text, ''::text))) trigram(trigram)
   WHERE (trigram.trigram !~~ '% %'::text);
END;

CREATE OR REPLACE FUNCTION public.vin_key(vin text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT COST 1e+06
RETURN compact_text(vin);

create table audit_events (
  provider text collate "C" not null,
  occurred_at timestamp(3) with time zone not null default clock_timestamp(),
  id bigint not null default nextval('audit_events_id_seq'::regclass),
  action text collate "C" not null,
  type text collate "C" not null,
  vehicle_id text collate "C",
  record_id text collate "C",
  actor jsonb not null,
  changes jsonb not null default '{}'::jsonb,
  key_id uuid,
  personal bytea,
  previous_key_id uuid,
  previous_personal bytea,
  constraint audit_events_pkey PRIMARY KEY (provider, occurred_at, id)
) partition by RANGE (occurred_at);

create table audit_seals (
  provider text collate "C" not null,
  number bigint not null,
  sealed_at timestamp(3) with time zone not null,
  event_ids bigint[] not null,
  first_event_at timestamp(3) with time zone not null,
  last_event_at timestamp(3) with time zone not null,
  events_hash bytea not null,
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_seals_pkey PRIMARY KEY (provider, number)
);
CREATE INDEX audit_seals_by_time ON audit_seals USING btree (provider, last_event_at);

create table audited_tables (
  name text collate "C" not null,
  type text not null,
  provider_column text not null default 'provider'::text,
  vehicle_column text,
  id_column text,
  left_out text[] not null,
  secret text[] not null default '{}'::text[],
  personal text[] not null default '{}'::text[],
  condition text not null default 'true'::text,
  constraint audited_tables_pkey PRIMARY KEY (name)
);

create table blobs (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  owner text not null,
  entry_id uuid not null,
  uuid uuid not null default gen_random_uuid(),
  filename text not null,
  content_type text not null,
  created_at timestamp with time zone not null,
  object_key text collate "C",
  size bigint,
  uploaded_at timestamp with time zone,
  constraint blobs_pkey PRIMARY KEY (provider, uuid),
  constraint blobs_object_fkey FOREIGN KEY (provider, object_key) REFERENCES stored_objects(provider, key),
  constraint blobs_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint blobs_owner_check CHECK (owner = ANY (ARRAY['logbook'::text, 'incidents'::text, 'checklist'::text])),
  constraint blobs_upload_check CHECK ((object_key IS NULL) = (size IS NULL) AND (object_key IS NULL) = (uploaded_at IS NULL))
);
CREATE INDEX blobs_by_entry ON blobs USING btree (provider, owner, entry_id);
CREATE INDEX blobs_by_object ON blobs USING btree (provider, object_key) WHERE object_key IS NOT NULL;

create table charging_sessions (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id text collate "C" not null,
  version bigint not null default (EXTRACT(epoch FROM now()) * 1000::numeric)::bigint,
  source text not null,
  from_time timestamp(3) with time zone not null,
  from_level double precision,
  to_time timestamp(3) with time zone,
  to_level double precision,
  lat double precision,
  lng double precision,
  charged_kwh double precision,
  energy_basis text not null,
  superseded boolean not null default false,
  over_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint charging_sessions_pkey PRIMARY KEY (provider, vehicle_id, id),
  constraint charging_sessions_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint charging_sessions_charged_kwh_check CHECK (charged_kwh >= 0::double precision),
  constraint charging_sessions_energy_basis_check CHECK (energy_basis = ANY (ARRAY['measured'::text, 'estimated'::text])),
  constraint charging_sessions_period_check CHECK (to_time >= from_time),
  constraint charging_sessions_source_check CHECK (source = ANY (ARRAY['telemetry'::text, 'recorded'::text]))
);
CREATE INDEX charging_sessions_by_open ON charging_sessions USING btree (provider, vehicle_id) WHERE source = 'telemetry'::text AND to_time IS NULL;
CREATE INDEX charging_sessions_by_record ON charging_sessions USING btree (provider, vehicle_id, from_time) WHERE source = 'recorded'::text;
CREATE INDEX charging_sessions_by_time ON charging_sessions USING btree (provider, vehicle_id, from_time DESC, id);
CREATE UNIQUE INDEX charging_sessions_detected_key ON charging_sessions USING btree (provider, vehicle_id, from_time) WHERE source = 'telemetry'::text;

create table charging_states (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  state jsonb not null,
  constraint charging_states_pkey PRIMARY KEY (provider, vehicle_id),
  constraint charging_states_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE
);

create table checklist_entries (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  "position" integer not null,
  ordinal integer not null,
  title text not null,
  type text not null,
  options text[],
  required boolean not null default false,
  result text,
  value jsonb,
  comment text,
  customer_country_code text,
  customer_provider_code text,
  customer_id uuid,
  performed_at timestamp(3) with time zone,
  due_date date,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint checklist_entries_pkey PRIMARY KEY (provider, vehicle_id, id),
  constraint checklist_entries_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint checklist_entries_options_check CHECK ((type = 'select'::text) = (options IS NOT NULL)),
  constraint checklist_entries_position_check CHECK ("position" >= 0),
  constraint checklist_entries_result_check CHECK (result = ANY (ARRAY['pass'::text, 'flag'::text, 'fail'::text])),
  constraint checklist_entries_type_check CHECK (type = ANY (ARRAY['check'::text, 'number'::text, 'text'::text, 'select'::text]))
);
CREATE INDEX checklist_entries_by_position ON checklist_entries USING btree (provider, vehicle_id, "position", ordinal);

create table checklist_templates (
  provider text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  name text collate "C" not null,
  entries jsonb not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint checklist_templates_pkey PRIMARY KEY (provider, id),
  constraint checklist_templates_name_key UNIQUE (provider, name),
  constraint checklist_templates_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id)
);

create table clients (
  provider text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  secret_hash bytea,
  redirect_uris text[] not null default '{}'::text[],
  post_logout_redirect_uris text[] not null default '{}'::text[],
  demo boolean not null default false,
  created_at timestamp with time zone not null default now(),
  disabled_at timestamp with time zone,
  role text not null default 'editor'::text,
  networks text[] not null default '{}'::text[],
  expires_at timestamp with time zone,
  version integer not null default 1,
  updated_at timestamp(3) with time zone not null default now(),
  previous_secret_hash bytea,
  previous_expires_at timestamp(3) with time zone,
  constraint clients_pkey PRIMARY KEY (provider, id),
  constraint clients_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id),
  constraint clients_role_check CHECK (role = ANY (ARRAY['databox'::text, 'viewer'::text, 'editor'::text, 'admin'::text]))
);

create table customer_keys (
  provider text collate "C" not null,
  customer_country_code text collate "C" not null,
  customer_provider_code text collate "C" not null,
  customer_id uuid not null,
  id uuid not null default gen_random_uuid(),
  key bytea not null default gen_random_bytes(32),
  constraint customer_keys_pkey PRIMARY KEY (provider, customer_country_code, customer_provider_code, customer_id),
  constraint customer_keys_id_key UNIQUE (provider, id)
);

create table databoxes (
  provider text collate "C" not null,
  serial text collate "C" not null,
  version bigint not null default (EXTRACT(epoch FROM now()) * 1000::numeric)::bigint,
  vehicle_id text collate "C" not null,
  paired_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint databoxes_pkey PRIMARY KEY (provider, serial),
  constraint databoxes_vehicle_key UNIQUE (provider, vehicle_id),
  constraint databoxes_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE
);

create table drivers (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  customer_country_code text collate "C" not null,
  customer_provider_code text collate "C" not null,
  customer_id uuid not null,
  added_at timestamp(3) with time zone not null,
  constraint drivers_pkey PRIMARY KEY (provider, vehicle_id, customer_country_code, customer_provider_code, customer_id),
  constraint drivers_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE
);
CREATE INDEX drivers_by_customer ON drivers USING btree (provider, customer_country_code, customer_provider_code, customer_id, added_at);

create table fleet_versions (
  provider text collate "C" not null,
  version uuid not null,
  constraint fleet_versions_pkey PRIMARY KEY (provider),
  constraint fleet_versions_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id) ON DELETE CASCADE
);

create table incidents (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  ocr_status text not null default 'NOT_STARTED'::text,
  title text not null,
  customer_country_code text,
  customer_provider_code text,
  customer_id uuid,
  vehicle_operable boolean not null,
  incident_timestamp timestamp with time zone,
  report_timestamp timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  location text,
  incident_type text,
  cause text,
  notes text,
  description text,
  is_resolved boolean not null,
  damages json,
  constraint incidents_pkey PRIMARY KEY (provider, vehicle_id, id),
  constraint incidents_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint incidents_ocr_status_check CHECK (ocr_status = ANY (ARRAY['NOT_STARTED'::text, 'MANUAL'::text, 'PROCESSING'::text, 'PROCESSED'::text, 'ERROR'::text]))
);
CREATE INDEX incidents_by_report_time ON incidents USING btree (provider, report_timestamp DESC, id);

create table inspections (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  version integer not null default 0,
  passed_on date,
  country text,
  usage text,
  fuel text,
  category text,
  estimated_date date,
  estimate jsonb,
  estimated_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint inspections_pkey PRIMARY KEY (provider, vehicle_id),
  constraint inspections_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint inspections_category_check CHECK (category = ANY (ARRAY['car'::text, 'van'::text])),
  constraint inspections_fuel_check CHECK (fuel = ANY (ARRAY['petrol'::text, 'diesel'::text, 'lpg'::text, 'electric'::text, 'hybrid'::text])),
  constraint inspections_usage_check CHECK (usage = ANY (ARRAY['private'::text, 'rental'::text, 'taxi'::text]))
);

create table logbook_entries (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  date date not null,
  odometer double precision,
  category text not null,
  title text not null,
  description text,
  cost_amount bigint,
  cost_currency text,
  customer_country_code text,
  customer_provider_code text,
  customer_id uuid,
  tags text[] not null default '{}'::text[],
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint logbook_entries_pkey PRIMARY KEY (provider, vehicle_id, id),
  constraint logbook_entries_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint logbook_entries_category_check CHECK (category = ANY (ARRAY['fuel'::text, 'charging'::text, 'service'::text, 'repair'::text, 'inspection'::text, 'tyres'::text, 'cleaning'::text, 'toll'::text, 'parking'::text, 'fine'::text, 'insurance'::text, 'tax'::text, 'accident'::text, 'other'::text])),
  constraint logbook_entries_cost_check CHECK ((cost_amount IS NULL) = (cost_currency IS NULL))
);
CREATE INDEX logbook_entries_by_date ON logbook_entries USING btree (provider, vehicle_id, date DESC, created_at DESC, id);

create table maintenance_reports (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  source text not null,
  schedule_id uuid,
  title text not null,
  type text not null,
  due_date date,
  due_odometer double precision,
  interval_months integer,
  interval_distance double precision,
  last_done_date date,
  last_done_odometer double precision,
  notes text,
  status text not null default 'planned'::text,
  forecast_date date,
  soonest date,
  closed_at timestamp(3) with time zone,
  withdrawn boolean not null default false,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint maintenance_reports_pkey PRIMARY KEY (provider, vehicle_id, id),
  constraint maintenance_reports_schedule_fkey FOREIGN KEY (provider, schedule_id) REFERENCES maintenance_schedules(provider, id) ON DELETE CASCADE,
  constraint maintenance_reports_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint maintenance_reports_interval_distance_check CHECK (interval_distance > 0::double precision),
  constraint maintenance_reports_interval_months_check CHECK (interval_months > 0),
  constraint maintenance_reports_schedule_check CHECK ((source = 'schedule'::text) = (schedule_id IS NOT NULL)),
  constraint maintenance_reports_source_check CHECK (source = ANY (ARRAY['manual'::text, 'schedule'::text, 'vehicle'::text, 'inspection'::text])),
  constraint maintenance_reports_status_check CHECK (status = ANY (ARRAY['planned'::text, 'due_soon'::text, 'overdue'::text])),
  constraint maintenance_reports_type_check CHECK (type = ANY (ARRAY['service'::text, 'inspection'::text, 'repair'::text, 'tyres'::text, 'other'::text]))
);
CREATE INDEX maintenance_reports_by_due ON maintenance_reports USING btree (provider, soonest, vehicle_id, id) WHERE closed_at IS NULL AND NOT withdrawn;
CREATE INDEX maintenance_reports_by_schedule ON maintenance_reports USING btree (provider, schedule_id) WHERE schedule_id IS NOT NULL;
CREATE UNIQUE INDEX maintenance_reports_schedule_key ON maintenance_reports USING btree (provider, vehicle_id, schedule_id) WHERE schedule_id IS NOT NULL;
CREATE UNIQUE INDEX maintenance_reports_source_key ON maintenance_reports USING btree (provider, vehicle_id, source) WHERE source = ANY (ARRAY['vehicle'::text, 'inspection'::text]);

create table maintenance_schedules (
  provider text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  title text not null,
  type text not null,
  interval_months integer,
  interval_distance double precision,
  vendor text,
  model text,
  notes text,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint maintenance_schedules_pkey PRIMARY KEY (provider, id),
  constraint maintenance_schedules_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id),
  constraint maintenance_schedules_interval_check CHECK (interval_months IS NOT NULL OR interval_distance IS NOT NULL),
  constraint maintenance_schedules_interval_distance_check CHECK (interval_distance > 0::double precision),
  constraint maintenance_schedules_interval_months_check CHECK (interval_months > 0),
  constraint maintenance_schedules_type_check CHECK (type = ANY (ARRAY['service'::text, 'inspection'::text, 'repair'::text, 'tyres'::text, 'other'::text]))
);

create table oidc_records (
  provider text collate "C" not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  payload jsonb not null,
  grant_id text collate "C",
  uid text collate "C",
  consumed_at timestamp with time zone,
  expires_at timestamp with time zone,
  address text,
  user_agent text,
  constraint oidc_records_pkey PRIMARY KEY (provider, kind, id),
  constraint oidc_records_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id)
);
CREATE INDEX oidc_records_by_expiry ON oidc_records USING btree (expires_at);
CREATE INDEX oidc_records_by_grant ON oidc_records USING btree (provider, grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oidc_records_by_uid ON oidc_records USING btree (provider, uid) WHERE uid IS NOT NULL;

create table providers (
  id text collate "C" not null,
  name text not null,
  demo boolean not null default false,
  created_at timestamp with time zone not null default now(),
  disabled_at timestamp with time zone,
  constraint providers_pkey PRIMARY KEY (id),
  constraint providers_id_check CHECK (id ~ '^[A-Z]{2}-[A-Z0-9]{3}$'::text)
);

create table realm_keys (
  provider text collate "C" not null,
  kid text collate "C" not null,
  private_jwk jsonb,
  created_at timestamp with time zone not null default now(),
  retired_at timestamp with time zone,
  sealed_jwk text,
  constraint realm_keys_pkey PRIMARY KEY (provider, kid),
  constraint realm_keys_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id),
  constraint realm_keys_jwk_check CHECK (num_nonnulls(private_jwk, sealed_jwk) = 1)
);

create table recovery_codes (
  provider text collate "C" not null,
  user_id uuid not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (provider, user_id, code_hash),
  constraint recovery_codes_second_factor_fkey FOREIGN KEY (provider, user_id) REFERENCES second_factors(provider, user_id) ON DELETE CASCADE
);

create table schema_migrations (
  version bigint not null,
  name text,
  md5 text,
  run_at timestamp with time zone,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table second_factors (
  provider text collate "C" not null,
  user_id uuid not null,
  sealed_secret text not null,
  last_step bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint second_factors_pkey PRIMARY KEY (provider, user_id),
  constraint second_factors_user_fkey FOREIGN KEY (provider, user_id) REFERENCES users(provider, id) ON DELETE CASCADE
);

create table secret_keys (
  id text collate "C" not null,
  created_at timestamp with time zone not null default now(),
  constraint secret_keys_pkey PRIMARY KEY (id)
);

create table server_secrets (
  name text collate "C" not null,
  value bytea,
  sealed_value text,
  constraint server_secrets_pkey PRIMARY KEY (name),
  constraint server_secrets_value_check CHECK (num_nonnulls(value, sealed_value) = 1)
);

create table sign_in_failures (
  provider text collate "C" not null,
  target bytea not null,
  failures integer not null,
  failed_at timestamp with time zone not null,
  blocked_until timestamp with time zone not null,
  constraint sign_in_failures_pkey PRIMARY KEY (provider, target),
  constraint sign_in_failures_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id)
);
CREATE INDEX sign_in_failures_by_time ON sign_in_failures USING btree (failed_at);

create table stored_objects (
  provider text collate "C" not null,
  key text collate "C" not null,
  created_at timestamp with time zone not null default now(),
  constraint stored_objects_pkey PRIMARY KEY (provider, key),
  constraint stored_objects_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id)
);

create table token_revocations (
  provider text collate "C" not null,
  subject text collate "C" not null,
  version integer not null,
  revoked_at timestamp with time zone not null,
  constraint token_revocations_pkey PRIMARY KEY (provider, subject),
  constraint token_revocations_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id)
);
CREATE INDEX token_revocations_by_time ON token_revocations USING btree (provider, revoked_at);

create table users (
  provider text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  username text collate "C" not null,
  password_hash text,
  demo boolean not null default false,
  created_at timestamp with time zone not null default now(),
  disabled_at timestamp with time zone,
  role text not null default 'editor'::text,
  name text,
  version integer not null default 1,
  updated_at timestamp(3) with time zone not null default now(),
  invitation_hash bytea,
  invitation_expires_at timestamp(3) with time zone,
  constraint users_pkey PRIMARY KEY (provider, id),
  constraint users_username_key UNIQUE (provider, username),
  constraint users_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id),
  constraint users_role_check CHECK (role = ANY (ARRAY['databox'::text, 'viewer'::text, 'editor'::text, 'admin'::text]))
);
CREATE UNIQUE INDEX users_by_invitation ON users USING btree (provider, invitation_hash) WHERE invitation_hash IS NOT NULL;

create table vehicle_history (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  "time" timestamp(3) with time zone not null,
  odometer double precision,
  fuel_level double precision,
  lat double precision,
  lng double precision,
  is_charging boolean,
  is_plugged_in boolean,
  energy_meter double precision,
  constraint vehicle_history_pkey PRIMARY KEY (provider, vehicle_id, "time")
) partition by RANGE ("time");

create table vehicle_statuses (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  last_updated timestamp(3) with time zone,
  lat double precision,
  lng double precision,
  location_at timestamp(3) with time zone,
  is_charging boolean,
  is_charging_at timestamp(3) with time zone,
  is_locked boolean,
  is_locked_at timestamp(3) with time zone,
  windows_closed boolean,
  windows_closed_at timestamp(3) with time zone,
  doors_closed boolean,
  doors_closed_at timestamp(3) with time zone,
  engine_active boolean,
  engine_active_at timestamp(3) with time zone,
  headlights_active boolean,
  headlights_active_at timestamp(3) with time zone,
  immobilizer_active boolean,
  immobilizer_active_at timestamp(3) with time zone,
  is_plugged_in boolean,
  is_plugged_in_at timestamp(3) with time zone,
  odometer double precision,
  odometer_at timestamp(3) with time zone,
  reach double precision,
  reach_at timestamp(3) with time zone,
  fuel_level double precision,
  fuel_level_at timestamp(3) with time zone,
  tire_pressure_front_left double precision,
  tire_pressure_front_left_at timestamp(3) with time zone,
  tire_pressure_front_right double precision,
  tire_pressure_front_right_at timestamp(3) with time zone,
  tire_pressure_rear_left double precision,
  tire_pressure_rear_left_at timestamp(3) with time zone,
  tire_pressure_rear_right double precision,
  tire_pressure_rear_right_at timestamp(3) with time zone,
  next_service_date date,
  next_service_date_at timestamp(3) with time zone,
  next_service_distance double precision,
  next_service_distance_at timestamp(3) with time zone,
  energy_meter double precision,
  energy_meter_at timestamp(3) with time zone,
  next_service_odometer double precision,
  keeps_position boolean not null default true,
  watched boolean not null default false,
  replan_at_odometer double precision,
  history_until timestamp(3) with time zone,
  odometer_bucket double precision generated always as (
CASE
    WHEN abs(odometer) < 20::double precision THEN 0::double precision
    ELSE floor(odometer / 20::double precision)
END) stored,
  constraint vehicle_statuses_pkey PRIMARY KEY (provider, vehicle_id),
  constraint vehicle_statuses_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE
) with (fillfactor=50);
CREATE INDEX vehicle_statuses_by_odometer ON vehicle_statuses USING btree (provider, odometer_bucket) WHERE odometer_bucket IS NOT NULL;

create table vehicles (
  provider text collate "C" not null,
  id text collate "C" not null,
  version bigint not null default (EXTRACT(epoch FROM now()) * 1000::numeric)::bigint,
  blob_uuid uuid,
  default_image text,
  active boolean not null default true,
  vin text,
  vendor text,
  model text,
  variant text,
  license_plate text,
  seats double precision,
  first_registration_date date,
  build_year double precision,
  ev_battery_capacity double precision,
  ice_tank_capacity double precision,
  track_geolocation boolean,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  search_text text generated always as (lower((((((((COALESCE(vin, ''::text) || '
'::text) || COALESCE(license_plate, ''::text)) || '
'::text) || COALESCE(vendor, ''::text)) || '
'::text) || COALESCE(model, ''::text)) || '
'::text) || COALESCE(variant, ''::text))) stored,
  item text not null,
  constraint vehicles_pkey PRIMARY KEY (provider, id),
  constraint vehicles_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id)
);
CREATE INDEX vehicles_by_trigrams ON vehicles USING gin (search_trigrams(provider, search_text));
CREATE INDEX vehicles_by_update ON vehicles USING btree (provider, updated_at, id);
CREATE INDEX vehicles_by_vin ON vehicles USING btree (provider, vin_key(vin) COLLATE "C") WHERE active;

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON blobs FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_blobs();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON charging_sessions FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_charging_sessions();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON checklist_entries FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_checklist_entries();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON checklist_templates FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_checklist_templates();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON clients FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_clients();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON databoxes FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_databoxes();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON drivers FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_drivers();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON incidents FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_incidents();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON inspections FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_inspections();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON logbook_entries FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_logbook_entries();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON maintenance_reports FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_maintenance_reports();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON maintenance_schedules FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_maintenance_schedules();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON providers FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_providers();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON realm_keys FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_realm_keys();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON second_factors FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_second_factors();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON token_revocations FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_token_revocations();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON users FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_users();

CREATE TRIGGER audit_change AFTER INSERT OR DELETE OR UPDATE ON vehicles FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text) EXECUTE FUNCTION audit_vehicles();

CREATE CONSTRAINT TRIGGER change_fleet_version AFTER INSERT OR DELETE OR UPDATE ON vehicles DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_fleet_version();
