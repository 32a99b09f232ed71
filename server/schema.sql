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

CREATE OR REPLACE FUNCTION public.audit_blobs_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('owner', old.owner, 'entry_id', old.entry_id, 'content_type', old.content_type, 'size', old.size, 'uploaded_at', old.uploaded_at));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'file', old.vehicle_id, old.uuid::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_blobs_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('owner', new.owner, 'entry_id', new.entry_id, 'content_type', new.content_type, 'size', new.size, 'uploaded_at', new.uploaded_at));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'file', new.vehicle_id, new.uuid::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_blobs_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('owner', case when old.owner is distinct from new.owner then jsonb_build_array(old.owner, new.owner) end, 'entry_id', case when old.entry_id is distinct from new.entry_id then jsonb_build_array(old.entry_id, new.entry_id) end, 'content_type', case when old.content_type is distinct from new.content_type then jsonb_build_array(old.content_type, new.content_type) end, 'size', case when old.size is distinct from new.size then jsonb_build_array(old.size, new.size) end, 'uploaded_at', case when old.uploaded_at is distinct from new.uploaded_at then jsonb_build_array(old.uploaded_at, new.uploaded_at) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'file', new.vehicle_id, new.uuid::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_charging_sessions_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('source', old.source, 'from_time', old.from_time, 'from_level', old.from_level, 'to_time', old.to_time, 'to_level', old.to_level, 'lat', case when old.lat is not null then '***' end, 'lng', case when old.lng is not null then '***' end, 'charged_kwh', old.charged_kwh, 'energy_basis', old.energy_basis));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'charging-session', old.vehicle_id, old.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_charging_sessions_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('source', new.source, 'from_time', new.from_time, 'from_level', new.from_level, 'to_time', new.to_time, 'to_level', new.to_level, 'lat', case when new.lat is not null then '***' end, 'lng', case when new.lng is not null then '***' end, 'charged_kwh', new.charged_kwh, 'energy_basis', new.energy_basis));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'charging-session', new.vehicle_id, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_charging_sessions_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('source', case when old.source is distinct from new.source then jsonb_build_array(old.source, new.source) end, 'from_time', case when old.from_time is distinct from new.from_time then jsonb_build_array(old.from_time, new.from_time) end, 'from_level', case when old.from_level is distinct from new.from_level then jsonb_build_array(old.from_level, new.from_level) end, 'to_time', case when old.to_time is distinct from new.to_time then jsonb_build_array(old.to_time, new.to_time) end, 'to_level', case when old.to_level is distinct from new.to_level then jsonb_build_array(old.to_level, new.to_level) end, 'lat', case when old.lat is distinct from new.lat then jsonb_build_array(case when old.lat is not null then '***' end, case when new.lat is not null then '***' end) end, 'lng', case when old.lng is distinct from new.lng then jsonb_build_array(case when old.lng is not null then '***' end, case when new.lng is not null then '***' end) end, 'charged_kwh', case when old.charged_kwh is distinct from new.charged_kwh then jsonb_build_array(old.charged_kwh, new.charged_kwh) end, 'energy_basis', case when old.energy_basis is distinct from new.energy_basis then jsonb_build_array(old.energy_basis, new.energy_basis) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'charging-session', new.vehicle_id, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_checklist_entries_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('position', old."position", 'type', old.type, 'options', old.options, 'required', old.required, 'result', old.result, 'performed_at', old.performed_at, 'due_date', old.due_date));
  personal jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('title', old.title, 'value', old.value, 'comment', old.comment, 'customer_country_code', old.customer_country_code, 'customer_provider_code', old.customer_provider_code, 'customer_id', old.customer_id)), '{}');
  personal_key uuid := old.id;
  secret bytea;
begin
  secret := (select key from public.audit_keys where provider = old.provider and id = personal_key);
  if personal is not null and (secret is null) then
    secret := audit_key(old.provider, personal_key, old.customer_country_code, old.customer_provider_code, old.customer_id, null, null, null);
  end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal)
  values (old.provider, tg_op, 'checklist-entry', old.vehicle_id, old.id::text, current_setting('motorpool.actor')::jsonb, changed,
    case when personal is not null then personal_key end,
    encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_checklist_entries_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('position', new."position", 'type', new.type, 'options', new.options, 'required', new.required, 'result', new.result, 'performed_at', new.performed_at, 'due_date', new.due_date));
  personal jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('title', new.title, 'value', new.value, 'comment', new.comment, 'customer_country_code', new.customer_country_code, 'customer_provider_code', new.customer_provider_code, 'customer_id', new.customer_id)), '{}');
  personal_key uuid := new.id;
  secret bytea;
begin
  secret := (select key from public.audit_keys where provider = new.provider and id = personal_key);
  if personal is not null and (secret is null) then
    secret := audit_key(new.provider, personal_key, null, null, null, new.customer_country_code, new.customer_provider_code, new.customer_id);
  end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal)
  values (new.provider, tg_op, 'checklist-entry', new.vehicle_id, new.id::text, current_setting('motorpool.actor')::jsonb, changed,
    case when personal is not null then personal_key end,
    encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_checklist_entries_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('position', case when old."position" is distinct from new."position" then jsonb_build_array(old."position", new."position") end, 'type', case when old.type is distinct from new.type then jsonb_build_array(old.type, new.type) end, 'options', case when old.options is distinct from new.options then jsonb_build_array(old.options, new.options) end, 'required', case when old.required is distinct from new.required then jsonb_build_array(old.required, new.required) end, 'result', case when old.result is distinct from new.result then jsonb_build_array(old.result, new.result) end, 'performed_at', case when old.performed_at is distinct from new.performed_at then jsonb_build_array(old.performed_at, new.performed_at) end, 'due_date', case when old.due_date is distinct from new.due_date then jsonb_build_array(old.due_date, new.due_date) end));
  personal jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('title', case when old.title is distinct from new.title then jsonb_build_array(old.title, new.title) end, 'value', case when old.value is distinct from new.value then jsonb_build_array(old.value, new.value) end, 'comment', case when old.comment is distinct from new.comment then jsonb_build_array(old.comment, new.comment) end, 'customer_country_code', case when old.customer_country_code is distinct from new.customer_country_code then jsonb_build_array(old.customer_country_code, new.customer_country_code) end, 'customer_provider_code', case when old.customer_provider_code is distinct from new.customer_provider_code then jsonb_build_array(old.customer_provider_code, new.customer_provider_code) end, 'customer_id', case when old.customer_id is distinct from new.customer_id then jsonb_build_array(old.customer_id, new.customer_id) end)), '{}');
  personal_key uuid := new.id;
  secret bytea;
begin
  if changed = '{}' and personal is null then return null; end if;
  secret := (select key from public.audit_keys where provider = new.provider and id = personal_key);
  if personal is not null and (secret is null or personal ?| '{customer_country_code,customer_provider_code,customer_id}') then
    secret := audit_key(new.provider, personal_key, old.customer_country_code, old.customer_provider_code, old.customer_id, new.customer_country_code, new.customer_provider_code, new.customer_id);
  end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal)
  values (new.provider, tg_op, 'checklist-entry', new.vehicle_id, new.id::text, current_setting('motorpool.actor')::jsonb, changed,
    case when personal is not null then personal_key end,
    encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_checklist_templates_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('name', old.name, 'entries', old.entries));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'checklist-template', null, old.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_checklist_templates_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('name', new.name, 'entries', new.entries));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'checklist-template', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_checklist_templates_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('name', case when old.name is distinct from new.name then jsonb_build_array(old.name, new.name) end, 'entries', case when old.entries is distinct from new.entries then jsonb_build_array(old.entries, new.entries) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'checklist-template', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_clients_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('name', old.name, 'secret_hash', case when old.secret_hash is not null then '***' end, 'redirect_uris', old.redirect_uris, 'post_logout_redirect_uris', old.post_logout_redirect_uris, 'demo', old.demo, 'disabled_at', old.disabled_at, 'role', old.role, 'networks', old.networks, 'expires_at', old.expires_at, 'previous_secret_hash', case when old.previous_secret_hash is not null then '***' end, 'previous_expires_at', old.previous_expires_at, 'audiences', old.audiences));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'client', null, old.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_clients_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('name', new.name, 'secret_hash', case when new.secret_hash is not null then '***' end, 'redirect_uris', new.redirect_uris, 'post_logout_redirect_uris', new.post_logout_redirect_uris, 'demo', new.demo, 'disabled_at', new.disabled_at, 'role', new.role, 'networks', new.networks, 'expires_at', new.expires_at, 'previous_secret_hash', case when new.previous_secret_hash is not null then '***' end, 'previous_expires_at', new.previous_expires_at, 'audiences', new.audiences));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'client', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_clients_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('name', case when old.name is distinct from new.name then jsonb_build_array(old.name, new.name) end, 'secret_hash', case when old.secret_hash is distinct from new.secret_hash then jsonb_build_array(case when old.secret_hash is not null then '***' end, case when new.secret_hash is not null then '***' end) end, 'redirect_uris', case when old.redirect_uris is distinct from new.redirect_uris then jsonb_build_array(old.redirect_uris, new.redirect_uris) end, 'post_logout_redirect_uris', case when old.post_logout_redirect_uris is distinct from new.post_logout_redirect_uris then jsonb_build_array(old.post_logout_redirect_uris, new.post_logout_redirect_uris) end, 'demo', case when old.demo is distinct from new.demo then jsonb_build_array(old.demo, new.demo) end, 'disabled_at', case when old.disabled_at is distinct from new.disabled_at then jsonb_build_array(old.disabled_at, new.disabled_at) end, 'role', case when old.role is distinct from new.role then jsonb_build_array(old.role, new.role) end, 'networks', case when old.networks is distinct from new.networks then jsonb_build_array(old.networks, new.networks) end, 'expires_at', case when old.expires_at is distinct from new.expires_at then jsonb_build_array(old.expires_at, new.expires_at) end, 'previous_secret_hash', case when old.previous_secret_hash is distinct from new.previous_secret_hash then jsonb_build_array(case when old.previous_secret_hash is not null then '***' end, case when new.previous_secret_hash is not null then '***' end) end, 'previous_expires_at', case when old.previous_expires_at is distinct from new.previous_expires_at then jsonb_build_array(old.previous_expires_at, new.previous_expires_at) end, 'audiences', case when old.audiences is distinct from new.audiences then jsonb_build_array(old.audiences, new.audiences) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'client', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_customer_erasures_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('completed_at', old.completed_at, 'erased_count', old.erased_count, 'erases_positions', old.erases_positions));
  personal jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('customer_country_code', old.customer_country_code, 'customer_provider_code', old.customer_provider_code, 'customer_id', old.customer_id)), '{}');
  personal_key uuid := old.id;
  secret bytea;
begin
  secret := (select key from public.audit_keys where provider = old.provider and id = personal_key);
  if personal is not null and (secret is null) then
    secret := audit_key(old.provider, personal_key, old.customer_country_code, old.customer_provider_code, old.customer_id, null, null, null);
  end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal)
  values (old.provider, tg_op, 'user-erasure', null, old.id::text, current_setting('motorpool.actor')::jsonb, changed,
    case when personal is not null then personal_key end,
    encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_customer_erasures_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('completed_at', new.completed_at, 'erased_count', new.erased_count, 'erases_positions', new.erases_positions));
  personal jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('customer_country_code', new.customer_country_code, 'customer_provider_code', new.customer_provider_code, 'customer_id', new.customer_id)), '{}');
  personal_key uuid := new.id;
  secret bytea;
begin
  secret := (select key from public.audit_keys where provider = new.provider and id = personal_key);
  if personal is not null and (secret is null) then
    secret := audit_key(new.provider, personal_key, null, null, null, new.customer_country_code, new.customer_provider_code, new.customer_id);
  end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal)
  values (new.provider, tg_op, 'user-erasure', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed,
    case when personal is not null then personal_key end,
    encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_customer_erasures_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('completed_at', case when old.completed_at is distinct from new.completed_at then jsonb_build_array(old.completed_at, new.completed_at) end, 'erased_count', case when old.erased_count is distinct from new.erased_count then jsonb_build_array(old.erased_count, new.erased_count) end, 'erases_positions', case when old.erases_positions is distinct from new.erases_positions then jsonb_build_array(old.erases_positions, new.erases_positions) end));
  personal jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('customer_country_code', case when old.customer_country_code is distinct from new.customer_country_code then jsonb_build_array(old.customer_country_code, new.customer_country_code) end, 'customer_provider_code', case when old.customer_provider_code is distinct from new.customer_provider_code then jsonb_build_array(old.customer_provider_code, new.customer_provider_code) end, 'customer_id', case when old.customer_id is distinct from new.customer_id then jsonb_build_array(old.customer_id, new.customer_id) end)), '{}');
  personal_key uuid := new.id;
  secret bytea;
begin
  if changed = '{}' and personal is null then return null; end if;
  secret := (select key from public.audit_keys where provider = new.provider and id = personal_key);
  if personal is not null and (secret is null or personal ?| '{customer_country_code,customer_provider_code,customer_id}') then
    secret := audit_key(new.provider, personal_key, old.customer_country_code, old.customer_provider_code, old.customer_id, new.customer_country_code, new.customer_provider_code, new.customer_id);
  end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal)
  values (new.provider, tg_op, 'user-erasure', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed,
    case when personal is not null then personal_key end,
    encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_customer_key(fleet text, country_code text, provider_code text, customer uuid)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
declare
  found uuid;
begin
  found := (
    select k.key_id from public.audit_key_customers k
    where k.provider = fleet and k.customer_country_code = country_code and k.customer_provider_code = provider_code
      and k.customer_id = customer and k.is_of_customer
    limit 1);
  if found is null then
    found := gen_random_uuid();
    insert into public.audit_key_customers
      (provider, customer_country_code, customer_provider_code, customer_id, key_id, is_of_customer)
    values (fleet, country_code, provider_code, customer, found, true);
  end if;
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_databoxes_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('vehicle_id', old.vehicle_id, 'paired_at', old.paired_at));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'databox', old.vehicle_id, old.serial::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_databoxes_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('vehicle_id', new.vehicle_id, 'paired_at', new.paired_at));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'databox', new.vehicle_id, new.serial::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_databoxes_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('vehicle_id', case when old.vehicle_id is distinct from new.vehicle_id then jsonb_build_array(old.vehicle_id, new.vehicle_id) end, 'paired_at', case when old.paired_at is distinct from new.paired_at then jsonb_build_array(old.paired_at, new.paired_at) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'databox', new.vehicle_id, new.serial::text, current_setting('motorpool.actor')::jsonb, changed);
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

CREATE OR REPLACE FUNCTION public.audit_drivers_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls('{}');
  personal jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('customer_country_code', old.customer_country_code, 'customer_provider_code', old.customer_provider_code, 'customer_id', old.customer_id)), '{}');
  personal_key uuid := audit_customer_key(old.provider, old.customer_country_code, old.customer_provider_code, old.customer_id);
  secret bytea;
begin
  secret := (select key from public.audit_keys where provider = old.provider and id = personal_key);
  if personal is not null and (secret is null) then
    secret := audit_key(old.provider, personal_key, old.customer_country_code, old.customer_provider_code, old.customer_id, null, null, null);
  end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal)
  values (old.provider, tg_op, 'driver', old.vehicle_id, null, current_setting('motorpool.actor')::jsonb, changed,
    case when personal is not null then personal_key end,
    encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_drivers_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls('{}');
  personal jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('customer_country_code', new.customer_country_code, 'customer_provider_code', new.customer_provider_code, 'customer_id', new.customer_id)), '{}');
  personal_key uuid := audit_customer_key(new.provider, new.customer_country_code, new.customer_provider_code, new.customer_id);
  secret bytea;
begin
  secret := (select key from public.audit_keys where provider = new.provider and id = personal_key);
  if personal is not null and (secret is null) then
    secret := audit_key(new.provider, personal_key, null, null, null, new.customer_country_code, new.customer_provider_code, new.customer_id);
  end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal)
  values (new.provider, tg_op, 'driver', new.vehicle_id, null, current_setting('motorpool.actor')::jsonb, changed,
    case when personal is not null then personal_key end,
    encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_drivers_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls('{}');
  personal jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('customer_country_code', case when old.customer_country_code is distinct from new.customer_country_code then jsonb_build_array(old.customer_country_code, new.customer_country_code) end, 'customer_provider_code', case when old.customer_provider_code is distinct from new.customer_provider_code then jsonb_build_array(old.customer_provider_code, new.customer_provider_code) end, 'customer_id', case when old.customer_id is distinct from new.customer_id then jsonb_build_array(old.customer_id, new.customer_id) end)), '{}');
  personal_key uuid := audit_customer_key(new.provider, new.customer_country_code, new.customer_provider_code, new.customer_id);
  secret bytea;
begin
  if changed = '{}' and personal is null then return null; end if;
  secret := (select key from public.audit_keys where provider = new.provider and id = personal_key);
  if personal is not null and (secret is null or personal ?| '{customer_country_code,customer_provider_code,customer_id}') then
    secret := audit_key(new.provider, personal_key, old.customer_country_code, old.customer_provider_code, old.customer_id, new.customer_country_code, new.customer_provider_code, new.customer_id);
  end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal)
  values (new.provider, tg_op, 'driver', new.vehicle_id, null, current_setting('motorpool.actor')::jsonb, changed,
    case when personal is not null then personal_key end,
    encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_incidents_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('ocr_status', old.ocr_status, 'vehicle_operable', old.vehicle_operable, 'incident_timestamp', old.incident_timestamp, 'incident_type', old.incident_type, 'is_resolved', old.is_resolved));
  personal jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('title', old.title, 'customer_country_code', old.customer_country_code, 'customer_provider_code', old.customer_provider_code, 'customer_id', old.customer_id, 'location', old.location, 'cause', old.cause, 'notes', old.notes, 'description', old.description, 'damages', old.damages)), '{}');
  personal_key uuid := old.id;
  secret bytea;
begin
  secret := (select key from public.audit_keys where provider = old.provider and id = personal_key);
  if personal is not null and (secret is null) then
    secret := audit_key(old.provider, personal_key, old.customer_country_code, old.customer_provider_code, old.customer_id, null, null, null);
  end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal)
  values (old.provider, tg_op, 'incident', old.vehicle_id, old.id::text, current_setting('motorpool.actor')::jsonb, changed,
    case when personal is not null then personal_key end,
    encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_incidents_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('ocr_status', new.ocr_status, 'vehicle_operable', new.vehicle_operable, 'incident_timestamp', new.incident_timestamp, 'incident_type', new.incident_type, 'is_resolved', new.is_resolved));
  personal jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('title', new.title, 'customer_country_code', new.customer_country_code, 'customer_provider_code', new.customer_provider_code, 'customer_id', new.customer_id, 'location', new.location, 'cause', new.cause, 'notes', new.notes, 'description', new.description, 'damages', new.damages)), '{}');
  personal_key uuid := new.id;
  secret bytea;
begin
  secret := (select key from public.audit_keys where provider = new.provider and id = personal_key);
  if personal is not null and (secret is null) then
    secret := audit_key(new.provider, personal_key, null, null, null, new.customer_country_code, new.customer_provider_code, new.customer_id);
  end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal)
  values (new.provider, tg_op, 'incident', new.vehicle_id, new.id::text, current_setting('motorpool.actor')::jsonb, changed,
    case when personal is not null then personal_key end,
    encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_incidents_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('ocr_status', case when old.ocr_status is distinct from new.ocr_status then jsonb_build_array(old.ocr_status, new.ocr_status) end, 'vehicle_operable', case when old.vehicle_operable is distinct from new.vehicle_operable then jsonb_build_array(old.vehicle_operable, new.vehicle_operable) end, 'incident_timestamp', case when old.incident_timestamp is distinct from new.incident_timestamp then jsonb_build_array(old.incident_timestamp, new.incident_timestamp) end, 'incident_type', case when old.incident_type is distinct from new.incident_type then jsonb_build_array(old.incident_type, new.incident_type) end, 'is_resolved', case when old.is_resolved is distinct from new.is_resolved then jsonb_build_array(old.is_resolved, new.is_resolved) end));
  personal jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('title', case when old.title is distinct from new.title then jsonb_build_array(old.title, new.title) end, 'customer_country_code', case when old.customer_country_code is distinct from new.customer_country_code then jsonb_build_array(old.customer_country_code, new.customer_country_code) end, 'customer_provider_code', case when old.customer_provider_code is distinct from new.customer_provider_code then jsonb_build_array(old.customer_provider_code, new.customer_provider_code) end, 'customer_id', case when old.customer_id is distinct from new.customer_id then jsonb_build_array(old.customer_id, new.customer_id) end, 'location', case when old.location is distinct from new.location then jsonb_build_array(old.location, new.location) end, 'cause', case when old.cause is distinct from new.cause then jsonb_build_array(old.cause, new.cause) end, 'notes', case when old.notes is distinct from new.notes then jsonb_build_array(old.notes, new.notes) end, 'description', case when old.description is distinct from new.description then jsonb_build_array(old.description, new.description) end, 'damages', case when old.damages::text is distinct from new.damages::text then jsonb_build_array(old.damages, new.damages) end)), '{}');
  personal_key uuid := new.id;
  secret bytea;
begin
  if changed = '{}' and personal is null then return null; end if;
  secret := (select key from public.audit_keys where provider = new.provider and id = personal_key);
  if personal is not null and (secret is null or personal ?| '{customer_country_code,customer_provider_code,customer_id}') then
    secret := audit_key(new.provider, personal_key, old.customer_country_code, old.customer_provider_code, old.customer_id, new.customer_country_code, new.customer_provider_code, new.customer_id);
  end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal)
  values (new.provider, tg_op, 'incident', new.vehicle_id, new.id::text, current_setting('motorpool.actor')::jsonb, changed,
    case when personal is not null then personal_key end,
    encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_inspections_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('passed_on', old.passed_on, 'country', old.country, 'usage', old.usage, 'fuel', old.fuel, 'category', old.category, 'vehicle_class', old.vehicle_class));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'inspection', old.vehicle_id, old.vehicle_id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_inspections_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('passed_on', new.passed_on, 'country', new.country, 'usage', new.usage, 'fuel', new.fuel, 'category', new.category, 'vehicle_class', new.vehicle_class));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'inspection', new.vehicle_id, new.vehicle_id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_inspections_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('passed_on', case when old.passed_on is distinct from new.passed_on then jsonb_build_array(old.passed_on, new.passed_on) end, 'country', case when old.country is distinct from new.country then jsonb_build_array(old.country, new.country) end, 'usage', case when old.usage is distinct from new.usage then jsonb_build_array(old.usage, new.usage) end, 'fuel', case when old.fuel is distinct from new.fuel then jsonb_build_array(old.fuel, new.fuel) end, 'category', case when old.category is distinct from new.category then jsonb_build_array(old.category, new.category) end, 'vehicle_class', case when old.vehicle_class is distinct from new.vehicle_class then jsonb_build_array(old.vehicle_class, new.vehicle_class) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'inspection', new.vehicle_id, new.vehicle_id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_invoice_lines_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('line_number', old.line_number, 'text', old.text, 'description', old.description, 'kind', old.kind, 'quantity', old.quantity, 'unit', old.unit, 'unit_price', old.unit_price, 'price_base_quantity', old.price_base_quantity, 'allowances', old.allowances, 'charges', old.charges, 'net_amount', old.net_amount, 'vat_category', old.vat_category, 'vat_rate', old.vat_rate, 'service_from', old.service_from, 'service_to', old.service_to, 'vehicle_id', old.vehicle_id, 'charging_session_id', old.charging_session_id, 'maintenance_report_id', old.maintenance_report_id, 'logbook_entry_id', old.logbook_entry_id, 'incident_id', old.incident_id));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'invoice-line', old.vehicle_id, old.invoice_id || '/' || old.position::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_invoice_lines_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('line_number', new.line_number, 'text', new.text, 'description', new.description, 'kind', new.kind, 'quantity', new.quantity, 'unit', new.unit, 'unit_price', new.unit_price, 'price_base_quantity', new.price_base_quantity, 'allowances', new.allowances, 'charges', new.charges, 'net_amount', new.net_amount, 'vat_category', new.vat_category, 'vat_rate', new.vat_rate, 'service_from', new.service_from, 'service_to', new.service_to, 'vehicle_id', new.vehicle_id, 'charging_session_id', new.charging_session_id, 'maintenance_report_id', new.maintenance_report_id, 'logbook_entry_id', new.logbook_entry_id, 'incident_id', new.incident_id));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'invoice-line', new.vehicle_id, new.invoice_id || '/' || new.position::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_invoice_lines_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('line_number', case when old.line_number is distinct from new.line_number then jsonb_build_array(old.line_number, new.line_number) end, 'text', case when old.text is distinct from new.text then jsonb_build_array(old.text, new.text) end, 'description', case when old.description is distinct from new.description then jsonb_build_array(old.description, new.description) end, 'kind', case when old.kind is distinct from new.kind then jsonb_build_array(old.kind, new.kind) end, 'quantity', case when old.quantity is distinct from new.quantity then jsonb_build_array(old.quantity, new.quantity) end, 'unit', case when old.unit is distinct from new.unit then jsonb_build_array(old.unit, new.unit) end, 'unit_price', case when old.unit_price is distinct from new.unit_price then jsonb_build_array(old.unit_price, new.unit_price) end, 'price_base_quantity', case when old.price_base_quantity is distinct from new.price_base_quantity then jsonb_build_array(old.price_base_quantity, new.price_base_quantity) end, 'allowances', case when old.allowances is distinct from new.allowances then jsonb_build_array(old.allowances, new.allowances) end, 'charges', case when old.charges is distinct from new.charges then jsonb_build_array(old.charges, new.charges) end, 'net_amount', case when old.net_amount is distinct from new.net_amount then jsonb_build_array(old.net_amount, new.net_amount) end, 'vat_category', case when old.vat_category is distinct from new.vat_category then jsonb_build_array(old.vat_category, new.vat_category) end, 'vat_rate', case when old.vat_rate is distinct from new.vat_rate then jsonb_build_array(old.vat_rate, new.vat_rate) end, 'service_from', case when old.service_from is distinct from new.service_from then jsonb_build_array(old.service_from, new.service_from) end, 'service_to', case when old.service_to is distinct from new.service_to then jsonb_build_array(old.service_to, new.service_to) end, 'vehicle_id', case when old.vehicle_id is distinct from new.vehicle_id then jsonb_build_array(old.vehicle_id, new.vehicle_id) end, 'charging_session_id', case when old.charging_session_id is distinct from new.charging_session_id then jsonb_build_array(old.charging_session_id, new.charging_session_id) end, 'maintenance_report_id', case when old.maintenance_report_id is distinct from new.maintenance_report_id then jsonb_build_array(old.maintenance_report_id, new.maintenance_report_id) end, 'logbook_entry_id', case when old.logbook_entry_id is distinct from new.logbook_entry_id then jsonb_build_array(old.logbook_entry_id, new.logbook_entry_id) end, 'incident_id', case when old.incident_id is distinct from new.incident_id then jsonb_build_array(old.incident_id, new.incident_id) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'invoice-line', new.vehicle_id, new.invoice_id || '/' || new.position::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_invoices_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('status', old.status, 'type', old.type, 'number', old.number, 'supplier_name', old.supplier_name, 'supplier_vat_id', old.supplier_vat_id, 'supplier_tax_number', old.supplier_tax_number, 'supplier_registration', old.supplier_registration, 'supplier_address', old.supplier_address, 'buyer_reference', old.buyer_reference, 'order_reference', old.order_reference, 'issue_date', old.issue_date, 'due_date', old.due_date, 'service_date', old.service_date, 'service_from', old.service_from, 'service_to', old.service_to, 'currency', old.currency, 'note', old.note, 'allowances', old.allowances, 'charges', old.charges, 'vat_breakdown', old.vat_breakdown, 'line_net_amount', old.line_net_amount, 'allowance_amount', old.allowance_amount, 'charge_amount', old.charge_amount, 'tax_exclusive_amount', old.tax_exclusive_amount, 'tax_amount', old.tax_amount, 'tax_inclusive_amount', old.tax_inclusive_amount, 'prepaid_amount', old.prepaid_amount, 'rounding_amount', old.rounding_amount, 'payable_amount', old.payable_amount, 'was_open', old.was_open));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'invoice', null, old.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_invoices_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('status', new.status, 'type', new.type, 'number', new.number, 'supplier_name', new.supplier_name, 'supplier_vat_id', new.supplier_vat_id, 'supplier_tax_number', new.supplier_tax_number, 'supplier_registration', new.supplier_registration, 'supplier_address', new.supplier_address, 'buyer_reference', new.buyer_reference, 'order_reference', new.order_reference, 'issue_date', new.issue_date, 'due_date', new.due_date, 'service_date', new.service_date, 'service_from', new.service_from, 'service_to', new.service_to, 'currency', new.currency, 'note', new.note, 'allowances', new.allowances, 'charges', new.charges, 'vat_breakdown', new.vat_breakdown, 'line_net_amount', new.line_net_amount, 'allowance_amount', new.allowance_amount, 'charge_amount', new.charge_amount, 'tax_exclusive_amount', new.tax_exclusive_amount, 'tax_amount', new.tax_amount, 'tax_inclusive_amount', new.tax_inclusive_amount, 'prepaid_amount', new.prepaid_amount, 'rounding_amount', new.rounding_amount, 'payable_amount', new.payable_amount, 'was_open', new.was_open));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'invoice', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_invoices_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('status', case when old.status is distinct from new.status then jsonb_build_array(old.status, new.status) end, 'type', case when old.type is distinct from new.type then jsonb_build_array(old.type, new.type) end, 'number', case when old.number is distinct from new.number then jsonb_build_array(old.number, new.number) end, 'supplier_name', case when old.supplier_name is distinct from new.supplier_name then jsonb_build_array(old.supplier_name, new.supplier_name) end, 'supplier_vat_id', case when old.supplier_vat_id is distinct from new.supplier_vat_id then jsonb_build_array(old.supplier_vat_id, new.supplier_vat_id) end, 'supplier_tax_number', case when old.supplier_tax_number is distinct from new.supplier_tax_number then jsonb_build_array(old.supplier_tax_number, new.supplier_tax_number) end, 'supplier_registration', case when old.supplier_registration is distinct from new.supplier_registration then jsonb_build_array(old.supplier_registration, new.supplier_registration) end, 'supplier_address', case when old.supplier_address is distinct from new.supplier_address then jsonb_build_array(old.supplier_address, new.supplier_address) end, 'buyer_reference', case when old.buyer_reference is distinct from new.buyer_reference then jsonb_build_array(old.buyer_reference, new.buyer_reference) end, 'order_reference', case when old.order_reference is distinct from new.order_reference then jsonb_build_array(old.order_reference, new.order_reference) end, 'issue_date', case when old.issue_date is distinct from new.issue_date then jsonb_build_array(old.issue_date, new.issue_date) end, 'due_date', case when old.due_date is distinct from new.due_date then jsonb_build_array(old.due_date, new.due_date) end, 'service_date', case when old.service_date is distinct from new.service_date then jsonb_build_array(old.service_date, new.service_date) end, 'service_from', case when old.service_from is distinct from new.service_from then jsonb_build_array(old.service_from, new.service_from) end, 'service_to', case when old.service_to is distinct from new.service_to then jsonb_build_array(old.service_to, new.service_to) end, 'currency', case when old.currency is distinct from new.currency then jsonb_build_array(old.currency, new.currency) end, 'note', case when old.note is distinct from new.note then jsonb_build_array(old.note, new.note) end, 'allowances', case when old.allowances is distinct from new.allowances then jsonb_build_array(old.allowances, new.allowances) end, 'charges', case when old.charges is distinct from new.charges then jsonb_build_array(old.charges, new.charges) end, 'vat_breakdown', case when old.vat_breakdown is distinct from new.vat_breakdown then jsonb_build_array(old.vat_breakdown, new.vat_breakdown) end, 'line_net_amount', case when old.line_net_amount is distinct from new.line_net_amount then jsonb_build_array(old.line_net_amount, new.line_net_amount) end, 'allowance_amount', case when old.allowance_amount is distinct from new.allowance_amount then jsonb_build_array(old.allowance_amount, new.allowance_amount) end, 'charge_amount', case when old.charge_amount is distinct from new.charge_amount then jsonb_build_array(old.charge_amount, new.charge_amount) end, 'tax_exclusive_amount', case when old.tax_exclusive_amount is distinct from new.tax_exclusive_amount then jsonb_build_array(old.tax_exclusive_amount, new.tax_exclusive_amount) end, 'tax_amount', case when old.tax_amount is distinct from new.tax_amount then jsonb_build_array(old.tax_amount, new.tax_amount) end, 'tax_inclusive_amount', case when old.tax_inclusive_amount is distinct from new.tax_inclusive_amount then jsonb_build_array(old.tax_inclusive_amount, new.tax_inclusive_amount) end, 'prepaid_amount', case when old.prepaid_amount is distinct from new.prepaid_amount then jsonb_build_array(old.prepaid_amount, new.prepaid_amount) end, 'rounding_amount', case when old.rounding_amount is distinct from new.rounding_amount then jsonb_build_array(old.rounding_amount, new.rounding_amount) end, 'payable_amount', case when old.payable_amount is distinct from new.payable_amount then jsonb_build_array(old.payable_amount, new.payable_amount) end, 'was_open', case when old.was_open is distinct from new.was_open then jsonb_build_array(old.was_open, new.was_open) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'invoice', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_key(fleet text, key_id uuid, old_country_code text, old_provider_code text, old_customer uuid, new_country_code text, new_provider_code text, new_customer uuid)
 RETURNS bytea
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.audit_logbook_entries_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('date', old.date, 'odometer', old.odometer, 'category', old.category, 'cost_amount', old.cost_amount, 'cost_currency', old.cost_currency, 'maintenance_report_id', old.maintenance_report_id));
  personal jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('title', old.title, 'description', old.description, 'customer_country_code', old.customer_country_code, 'customer_provider_code', old.customer_provider_code, 'customer_id', old.customer_id, 'tags', old.tags)), '{}');
  personal_key uuid := old.id;
  secret bytea;
begin
  secret := (select key from public.audit_keys where provider = old.provider and id = personal_key);
  if personal is not null and (secret is null) then
    secret := audit_key(old.provider, personal_key, old.customer_country_code, old.customer_provider_code, old.customer_id, null, null, null);
  end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal)
  values (old.provider, tg_op, 'logbook-entry', old.vehicle_id, old.id::text, current_setting('motorpool.actor')::jsonb, changed,
    case when personal is not null then personal_key end,
    encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_logbook_entries_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('date', new.date, 'odometer', new.odometer, 'category', new.category, 'cost_amount', new.cost_amount, 'cost_currency', new.cost_currency, 'maintenance_report_id', new.maintenance_report_id));
  personal jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('title', new.title, 'description', new.description, 'customer_country_code', new.customer_country_code, 'customer_provider_code', new.customer_provider_code, 'customer_id', new.customer_id, 'tags', new.tags)), '{}');
  personal_key uuid := new.id;
  secret bytea;
begin
  secret := (select key from public.audit_keys where provider = new.provider and id = personal_key);
  if personal is not null and (secret is null) then
    secret := audit_key(new.provider, personal_key, null, null, null, new.customer_country_code, new.customer_provider_code, new.customer_id);
  end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal)
  values (new.provider, tg_op, 'logbook-entry', new.vehicle_id, new.id::text, current_setting('motorpool.actor')::jsonb, changed,
    case when personal is not null then personal_key end,
    encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_logbook_entries_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('date', case when old.date is distinct from new.date then jsonb_build_array(old.date, new.date) end, 'odometer', case when old.odometer is distinct from new.odometer then jsonb_build_array(old.odometer, new.odometer) end, 'category', case when old.category is distinct from new.category then jsonb_build_array(old.category, new.category) end, 'cost_amount', case when old.cost_amount is distinct from new.cost_amount then jsonb_build_array(old.cost_amount, new.cost_amount) end, 'cost_currency', case when old.cost_currency is distinct from new.cost_currency then jsonb_build_array(old.cost_currency, new.cost_currency) end, 'maintenance_report_id', case when old.maintenance_report_id is distinct from new.maintenance_report_id then jsonb_build_array(old.maintenance_report_id, new.maintenance_report_id) end));
  personal jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('title', case when old.title is distinct from new.title then jsonb_build_array(old.title, new.title) end, 'description', case when old.description is distinct from new.description then jsonb_build_array(old.description, new.description) end, 'customer_country_code', case when old.customer_country_code is distinct from new.customer_country_code then jsonb_build_array(old.customer_country_code, new.customer_country_code) end, 'customer_provider_code', case when old.customer_provider_code is distinct from new.customer_provider_code then jsonb_build_array(old.customer_provider_code, new.customer_provider_code) end, 'customer_id', case when old.customer_id is distinct from new.customer_id then jsonb_build_array(old.customer_id, new.customer_id) end, 'tags', case when old.tags is distinct from new.tags then jsonb_build_array(old.tags, new.tags) end)), '{}');
  personal_key uuid := new.id;
  secret bytea;
begin
  if changed = '{}' and personal is null then return null; end if;
  secret := (select key from public.audit_keys where provider = new.provider and id = personal_key);
  if personal is not null and (secret is null or personal ?| '{customer_country_code,customer_provider_code,customer_id}') then
    secret := audit_key(new.provider, personal_key, old.customer_country_code, old.customer_provider_code, old.customer_id, new.customer_country_code, new.customer_provider_code, new.customer_id);
  end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes, key_id, personal)
  values (new.provider, tg_op, 'logbook-entry', new.vehicle_id, new.id::text, current_setting('motorpool.actor')::jsonb, changed,
    case when personal is not null then personal_key end,
    encrypt(gen_random_bytes(16) || convert_to(personal::text, 'UTF8'), secret, 'aes'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_maintenance_reports_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('source', old.source, 'schedule_id', old.schedule_id, 'title', old.title, 'type', old.type, 'due_date', old.due_date, 'due_odometer', old.due_odometer, 'interval_months', old.interval_months, 'interval_distance', old.interval_distance, 'last_done_date', old.last_done_date, 'last_done_odometer', old.last_done_odometer, 'notes', old.notes, 'closed_at', old.closed_at, 'calendar_months', old.calendar_months, 'reminder_days', old.reminder_days, 'reminder_distance', old.reminder_distance, 'done', old.done));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'maintenance-report', old.vehicle_id, old.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_maintenance_reports_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('source', new.source, 'schedule_id', new.schedule_id, 'title', new.title, 'type', new.type, 'due_date', new.due_date, 'due_odometer', new.due_odometer, 'interval_months', new.interval_months, 'interval_distance', new.interval_distance, 'last_done_date', new.last_done_date, 'last_done_odometer', new.last_done_odometer, 'notes', new.notes, 'closed_at', new.closed_at, 'calendar_months', new.calendar_months, 'reminder_days', new.reminder_days, 'reminder_distance', new.reminder_distance, 'done', new.done));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'maintenance-report', new.vehicle_id, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_maintenance_reports_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('source', case when old.source is distinct from new.source then jsonb_build_array(old.source, new.source) end, 'schedule_id', case when old.schedule_id is distinct from new.schedule_id then jsonb_build_array(old.schedule_id, new.schedule_id) end, 'title', case when old.title is distinct from new.title then jsonb_build_array(old.title, new.title) end, 'type', case when old.type is distinct from new.type then jsonb_build_array(old.type, new.type) end, 'due_date', case when old.due_date is distinct from new.due_date then jsonb_build_array(old.due_date, new.due_date) end, 'due_odometer', case when old.due_odometer is distinct from new.due_odometer then jsonb_build_array(old.due_odometer, new.due_odometer) end, 'interval_months', case when old.interval_months is distinct from new.interval_months then jsonb_build_array(old.interval_months, new.interval_months) end, 'interval_distance', case when old.interval_distance is distinct from new.interval_distance then jsonb_build_array(old.interval_distance, new.interval_distance) end, 'last_done_date', case when old.last_done_date is distinct from new.last_done_date then jsonb_build_array(old.last_done_date, new.last_done_date) end, 'last_done_odometer', case when old.last_done_odometer is distinct from new.last_done_odometer then jsonb_build_array(old.last_done_odometer, new.last_done_odometer) end, 'notes', case when old.notes is distinct from new.notes then jsonb_build_array(old.notes, new.notes) end, 'closed_at', case when old.closed_at is distinct from new.closed_at then jsonb_build_array(old.closed_at, new.closed_at) end, 'calendar_months', case when old.calendar_months is distinct from new.calendar_months then jsonb_build_array(old.calendar_months, new.calendar_months) end, 'reminder_days', case when old.reminder_days is distinct from new.reminder_days then jsonb_build_array(old.reminder_days, new.reminder_days) end, 'reminder_distance', case when old.reminder_distance is distinct from new.reminder_distance then jsonb_build_array(old.reminder_distance, new.reminder_distance) end, 'done', case when old.done is distinct from new.done then jsonb_build_array(old.done, new.done) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'maintenance-report', new.vehicle_id, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_maintenance_schedules_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('title', old.title, 'type', old.type, 'interval_months', old.interval_months, 'interval_distance', old.interval_distance, 'vendor', old.vendor, 'model', old.model, 'notes', old.notes, 'calendar_months', old.calendar_months, 'reminder_days', old.reminder_days, 'reminder_distance', old.reminder_distance));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'maintenance-schedule', null, old.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_maintenance_schedules_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('title', new.title, 'type', new.type, 'interval_months', new.interval_months, 'interval_distance', new.interval_distance, 'vendor', new.vendor, 'model', new.model, 'notes', new.notes, 'calendar_months', new.calendar_months, 'reminder_days', new.reminder_days, 'reminder_distance', new.reminder_distance));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'maintenance-schedule', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_maintenance_schedules_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('title', case when old.title is distinct from new.title then jsonb_build_array(old.title, new.title) end, 'type', case when old.type is distinct from new.type then jsonb_build_array(old.type, new.type) end, 'interval_months', case when old.interval_months is distinct from new.interval_months then jsonb_build_array(old.interval_months, new.interval_months) end, 'interval_distance', case when old.interval_distance is distinct from new.interval_distance then jsonb_build_array(old.interval_distance, new.interval_distance) end, 'vendor', case when old.vendor is distinct from new.vendor then jsonb_build_array(old.vendor, new.vendor) end, 'model', case when old.model is distinct from new.model then jsonb_build_array(old.model, new.model) end, 'notes', case when old.notes is distinct from new.notes then jsonb_build_array(old.notes, new.notes) end, 'calendar_months', case when old.calendar_months is distinct from new.calendar_months then jsonb_build_array(old.calendar_months, new.calendar_months) end, 'reminder_days', case when old.reminder_days is distinct from new.reminder_days then jsonb_build_array(old.reminder_days, new.reminder_days) end, 'reminder_distance', case when old.reminder_distance is distinct from new.reminder_distance then jsonb_build_array(old.reminder_distance, new.reminder_distance) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'maintenance-schedule', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_object(audited audited_tables, operation text, columns text[])
 RETURNS text
 LANGUAGE sql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.audit_provider_profiles_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('legal_form', old.legal_form, 'address_street', old.address_street, 'address_zip', old.address_zip, 'address_city', old.address_city, 'address_region', old.address_region, 'address_country', old.address_country, 'contact_name', old.contact_name, 'contact_email', old.contact_email, 'contact_phone', old.contact_phone, 'time_zone', old.time_zone, 'locale', old.locale, 'currency', old.currency, 'vat_id', old.vat_id, 'default_vehicle_class', old.default_vehicle_class, 'default_usage', old.default_usage, 'electricity_price_per_kwh', old.electricity_price_per_kwh, 'position_retention_days', old.position_retention_days, 'erase_positions_with_customer', old.erase_positions_with_customer));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'profile', null, old.provider::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_provider_profiles_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('legal_form', new.legal_form, 'address_street', new.address_street, 'address_zip', new.address_zip, 'address_city', new.address_city, 'address_region', new.address_region, 'address_country', new.address_country, 'contact_name', new.contact_name, 'contact_email', new.contact_email, 'contact_phone', new.contact_phone, 'time_zone', new.time_zone, 'locale', new.locale, 'currency', new.currency, 'vat_id', new.vat_id, 'default_vehicle_class', new.default_vehicle_class, 'default_usage', new.default_usage, 'electricity_price_per_kwh', new.electricity_price_per_kwh, 'position_retention_days', new.position_retention_days, 'erase_positions_with_customer', new.erase_positions_with_customer));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'profile', null, new.provider::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_provider_profiles_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('legal_form', case when old.legal_form is distinct from new.legal_form then jsonb_build_array(old.legal_form, new.legal_form) end, 'address_street', case when old.address_street is distinct from new.address_street then jsonb_build_array(old.address_street, new.address_street) end, 'address_zip', case when old.address_zip is distinct from new.address_zip then jsonb_build_array(old.address_zip, new.address_zip) end, 'address_city', case when old.address_city is distinct from new.address_city then jsonb_build_array(old.address_city, new.address_city) end, 'address_region', case when old.address_region is distinct from new.address_region then jsonb_build_array(old.address_region, new.address_region) end, 'address_country', case when old.address_country is distinct from new.address_country then jsonb_build_array(old.address_country, new.address_country) end, 'contact_name', case when old.contact_name is distinct from new.contact_name then jsonb_build_array(old.contact_name, new.contact_name) end, 'contact_email', case when old.contact_email is distinct from new.contact_email then jsonb_build_array(old.contact_email, new.contact_email) end, 'contact_phone', case when old.contact_phone is distinct from new.contact_phone then jsonb_build_array(old.contact_phone, new.contact_phone) end, 'time_zone', case when old.time_zone is distinct from new.time_zone then jsonb_build_array(old.time_zone, new.time_zone) end, 'locale', case when old.locale is distinct from new.locale then jsonb_build_array(old.locale, new.locale) end, 'currency', case when old.currency is distinct from new.currency then jsonb_build_array(old.currency, new.currency) end, 'vat_id', case when old.vat_id is distinct from new.vat_id then jsonb_build_array(old.vat_id, new.vat_id) end, 'default_vehicle_class', case when old.default_vehicle_class is distinct from new.default_vehicle_class then jsonb_build_array(old.default_vehicle_class, new.default_vehicle_class) end, 'default_usage', case when old.default_usage is distinct from new.default_usage then jsonb_build_array(old.default_usage, new.default_usage) end, 'electricity_price_per_kwh', case when old.electricity_price_per_kwh is distinct from new.electricity_price_per_kwh then jsonb_build_array(old.electricity_price_per_kwh, new.electricity_price_per_kwh) end, 'position_retention_days', case when old.position_retention_days is distinct from new.position_retention_days then jsonb_build_array(old.position_retention_days, new.position_retention_days) end, 'erase_positions_with_customer', case when old.erase_positions_with_customer is distinct from new.erase_positions_with_customer then jsonb_build_array(old.erase_positions_with_customer, new.erase_positions_with_customer) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'profile', null, new.provider::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_providers_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('name', old.name, 'demo', old.demo, 'disabled_at', old.disabled_at));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.id, tg_op, 'provider', null, old.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_providers_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('name', new.name, 'demo', new.demo, 'disabled_at', new.disabled_at));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.id, tg_op, 'provider', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_providers_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('name', case when old.name is distinct from new.name then jsonb_build_array(old.name, new.name) end, 'demo', case when old.demo is distinct from new.demo then jsonb_build_array(old.demo, new.demo) end, 'disabled_at', case when old.disabled_at is distinct from new.disabled_at then jsonb_build_array(old.disabled_at, new.disabled_at) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.id, tg_op, 'provider', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_realm_keys_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('created_at', old.created_at, 'retired_at', old.retired_at));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'key', null, old.kid::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_realm_keys_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('created_at', new.created_at, 'retired_at', new.retired_at));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'key', null, new.kid::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_realm_keys_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('created_at', case when old.created_at is distinct from new.created_at then jsonb_build_array(old.created_at, new.created_at) end, 'retired_at', case when old.retired_at is distinct from new.retired_at then jsonb_build_array(old.retired_at, new.retired_at) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'key', null, new.kid::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_saved_views_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('name', old.name, 'definition', old.definition));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'saved-view', null, old.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_saved_views_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('name', new.name, 'definition', new.definition));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'saved-view', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_saved_views_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('name', case when old.name is distinct from new.name then jsonb_build_array(old.name, new.name) end, 'definition', case when old.definition is distinct from new.definition then jsonb_build_array(old.definition, new.definition) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'saved-view', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_second_factors_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('sealed_secret', case when old.sealed_secret is not null then '***' end));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'second-factor', null, old.user_id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_second_factors_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('sealed_secret', case when new.sealed_secret is not null then '***' end));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'second-factor', null, new.user_id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_second_factors_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('sealed_secret', case when old.sealed_secret is distinct from new.sealed_secret then jsonb_build_array(case when old.sealed_secret is not null then '***' end, case when new.sealed_secret is not null then '***' end) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'second-factor', null, new.user_id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_tables()
 RETURNS void
 LANGUAGE plpgsql
AS $functionx$
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
$functionx$;

CREATE OR REPLACE FUNCTION public.audit_token_revocations_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('version', old.version, 'revoked_at', old.revoked_at));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'revocation', null, old.subject::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_token_revocations_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('version', new.version, 'revoked_at', new.revoked_at));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'revocation', null, new.subject::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_token_revocations_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('version', case when old.version is distinct from new.version then jsonb_build_array(old.version, new.version) end, 'revoked_at', case when old.revoked_at is distinct from new.revoked_at then jsonb_build_array(old.revoked_at, new.revoked_at) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'revocation', null, new.subject::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_users_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('username', old.username, 'password_hash', case when old.password_hash is not null then '***' end, 'demo', old.demo, 'disabled_at', old.disabled_at, 'role', old.role, 'name', old.name, 'invitation_hash', case when old.invitation_hash is not null then '***' end, 'invitation_expires_at', old.invitation_expires_at, 'email', old.email));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'user', null, old.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_users_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('username', new.username, 'password_hash', case when new.password_hash is not null then '***' end, 'demo', new.demo, 'disabled_at', new.disabled_at, 'role', new.role, 'name', new.name, 'invitation_hash', case when new.invitation_hash is not null then '***' end, 'invitation_expires_at', new.invitation_expires_at, 'email', new.email));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'user', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_users_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('username', case when old.username is distinct from new.username then jsonb_build_array(old.username, new.username) end, 'password_hash', case when old.password_hash is distinct from new.password_hash then jsonb_build_array(case when old.password_hash is not null then '***' end, case when new.password_hash is not null then '***' end) end, 'demo', case when old.demo is distinct from new.demo then jsonb_build_array(old.demo, new.demo) end, 'disabled_at', case when old.disabled_at is distinct from new.disabled_at then jsonb_build_array(old.disabled_at, new.disabled_at) end, 'role', case when old.role is distinct from new.role then jsonb_build_array(old.role, new.role) end, 'name', case when old.name is distinct from new.name then jsonb_build_array(old.name, new.name) end, 'invitation_hash', case when old.invitation_hash is distinct from new.invitation_hash then jsonb_build_array(case when old.invitation_hash is not null then '***' end, case when new.invitation_hash is not null then '***' end) end, 'invitation_expires_at', case when old.invitation_expires_at is distinct from new.invitation_expires_at then jsonb_build_array(old.invitation_expires_at, new.invitation_expires_at) end, 'email', case when old.email is distinct from new.email then jsonb_build_array(old.email, new.email) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'user', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_vehicles_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('blob_uuid', old.blob_uuid, 'default_image', old.default_image, 'active', old.active, 'vin', old.vin, 'vendor', old.vendor, 'model', old.model, 'variant', old.variant, 'license_plate', old.license_plate, 'seats', old.seats, 'first_registration_date', old.first_registration_date, 'build_year', old.build_year, 'ev_battery_capacity', old.ev_battery_capacity, 'ice_tank_capacity', old.ice_tank_capacity, 'track_geolocation', old.track_geolocation));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'vehicle', old.id, old.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_vehicles_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('blob_uuid', new.blob_uuid, 'default_image', new.default_image, 'active', new.active, 'vin', new.vin, 'vendor', new.vendor, 'model', new.model, 'variant', new.variant, 'license_plate', new.license_plate, 'seats', new.seats, 'first_registration_date', new.first_registration_date, 'build_year', new.build_year, 'ev_battery_capacity', new.ev_battery_capacity, 'ice_tank_capacity', new.ice_tank_capacity, 'track_geolocation', new.track_geolocation));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'vehicle', new.id, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_vehicles_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('blob_uuid', case when old.blob_uuid is distinct from new.blob_uuid then jsonb_build_array(old.blob_uuid, new.blob_uuid) end, 'default_image', case when old.default_image is distinct from new.default_image then jsonb_build_array(old.default_image, new.default_image) end, 'active', case when old.active is distinct from new.active then jsonb_build_array(old.active, new.active) end, 'vin', case when old.vin is distinct from new.vin then jsonb_build_array(old.vin, new.vin) end, 'vendor', case when old.vendor is distinct from new.vendor then jsonb_build_array(old.vendor, new.vendor) end, 'model', case when old.model is distinct from new.model then jsonb_build_array(old.model, new.model) end, 'variant', case when old.variant is distinct from new.variant then jsonb_build_array(old.variant, new.variant) end, 'license_plate', case when old.license_plate is distinct from new.license_plate then jsonb_build_array(old.license_plate, new.license_plate) end, 'seats', case when old.seats is distinct from new.seats then jsonb_build_array(old.seats, new.seats) end, 'first_registration_date', case when old.first_registration_date is distinct from new.first_registration_date then jsonb_build_array(old.first_registration_date, new.first_registration_date) end, 'build_year', case when old.build_year is distinct from new.build_year then jsonb_build_array(old.build_year, new.build_year) end, 'ev_battery_capacity', case when old.ev_battery_capacity is distinct from new.ev_battery_capacity then jsonb_build_array(old.ev_battery_capacity, new.ev_battery_capacity) end, 'ice_tank_capacity', case when old.ice_tank_capacity is distinct from new.ice_tank_capacity then jsonb_build_array(old.ice_tank_capacity, new.ice_tank_capacity) end, 'track_geolocation', case when old.track_geolocation is distinct from new.track_geolocation then jsonb_build_array(old.track_geolocation, new.track_geolocation) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'vehicle', new.id, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_webhooks_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('url', old.url, 'description', old.description, 'types', old.types, 'sealed_secret', case when old.sealed_secret is not null then '***' end, 'previous_sealed_secret', case when old.previous_sealed_secret is not null then '***' end, 'previous_expires_at', old.previous_expires_at, 'status', old.status, 'status_reason', old.status_reason));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (old.provider, tg_op, 'webhook', null, old.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_webhooks_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('url', new.url, 'description', new.description, 'types', new.types, 'sealed_secret', case when new.sealed_secret is not null then '***' end, 'previous_sealed_secret', case when new.previous_sealed_secret is not null then '***' end, 'previous_expires_at', new.previous_expires_at, 'status', new.status, 'status_reason', new.status_reason));
begin
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'webhook', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_webhooks_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := jsonb_strip_nulls(jsonb_build_object('url', case when old.url is distinct from new.url then jsonb_build_array(old.url, new.url) end, 'description', case when old.description is distinct from new.description then jsonb_build_array(old.description, new.description) end, 'types', case when old.types is distinct from new.types then jsonb_build_array(old.types, new.types) end, 'sealed_secret', case when old.sealed_secret is distinct from new.sealed_secret then jsonb_build_array(case when old.sealed_secret is not null then '***' end, case when new.sealed_secret is not null then '***' end) end, 'previous_sealed_secret', case when old.previous_sealed_secret is distinct from new.previous_sealed_secret then jsonb_build_array(case when old.previous_sealed_secret is not null then '***' end, case when new.previous_sealed_secret is not null then '***' end) end, 'previous_expires_at', case when old.previous_expires_at is distinct from new.previous_expires_at then jsonb_build_array(old.previous_expires_at, new.previous_expires_at) end, 'status', case when old.status is distinct from new.status then jsonb_build_array(old.status, new.status) end, 'status_reason', case when old.status_reason is distinct from new.status_reason then jsonb_build_array(old.status_reason, new.status_reason) end));
begin
  if changed = '{}' then return null; end if;
  insert into public.audit_events (provider, action, type, vehicle_id, record_id, actor, changes)
  values (new.provider, tg_op, 'webhook', null, new.id::text, current_setting('motorpool.actor')::jsonb, changed);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.begin_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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

CREATE OR REPLACE FUNCTION public.charging_item(id text, from_time timestamp with time zone, from_level double precision, to_time timestamp with time zone, lat double precision, lng double precision, to_level double precision, charged_kwh double precision)
 RETURNS text
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
declare
  times constant text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
begin
  return '{' || concat_ws(',',
    '"id":' || to_json(id),
    '"fromDatetime":"' || to_char(from_time at time zone 'UTC', times) || '"',
    '"fromSoC":' || from_level,
    '"toDatetime":"' || to_char(to_time at time zone 'UTC', times) || '"',
    '"location":{"latitude":' || lat || ',"longitude":' || lng || '}',
    '"toSoC":' || to_level,
    '"chargedKWh":' || charged_kwh
  ) || '}';
end
$function$;

CREATE OR REPLACE FUNCTION public.clear_invoice_line_links()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.charging_session_id := null;
  new.maintenance_report_id := null;
  new.logbook_entry_id := null;
  new.incident_id := null;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.compact_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN translate(folded_text(value), ' -'::text, ''::text);

CREATE OR REPLACE FUNCTION public.distribute_table(name regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from pg_extension where extname = 'citus') then return; end if;
  if not exists (select from pg_dist_partition where logicalrelid = 'public.providers'::regclass) then return; end if;
  perform create_distributed_table(name, 'provider', colocate_with => 'providers');
end
$function$;

CREATE OR REPLACE FUNCTION public.end_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := to_jsonb(coalesce(new, old));
  fleet text := changed ->> tg_argv[1];
  record text := changed ->> tg_argv[2];
  state jsonb;
  next_id bigint;
  ended_at timestamptz;
  ignored text[] := '{version,created_at,updated_at}';
begin
  if not exists (
    select from public.event_outbox o
    where o.provider = fleet and o.record_id = record and o.transaction = pg_current_xact_id() and o.type = tg_argv[0]
  ) then
    return null;
  end if;
  -- Of two transactions that change lines of one invoice, the later event has what the earlier one changed: it is read when that
  -- is committed. One lock for all of a provider, so that those of several invoices wait in no circle.
  perform pg_advisory_xact_lock(hashtextextended('end_event ' || tg_argv[0] || ' ' || fleet, 0));
  execute format('select public.%I($1, $2)', tg_argv[0] || '_state') into state using fleet, record;
  state := jsonb_strip_nulls(state);
  delete from public.event_outbox o
  where o.provider = fleet and o.record_id = record and o.transaction = pg_current_xact_id() and o.type = tg_argv[0]
    and o.before::jsonb - ignored is not distinct from state - ignored;
  next_id := nextval('public.event_outbox_id_seq');
  ended_at := clock_timestamp();
  update public.event_outbox o
  set id = next_id, occurred_at = ended_at, transaction = null, after = state,
    type = tg_argv[0] || case when before is null then '.created.v1' when state is null then '.deleted.v1' else '.updated.v1' end
  where o.provider = fleet and o.record_id = record and o.transaction = pg_current_xact_id() and o.type = tg_argv[0];
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.event_blobs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before json;
  after json;
begin
  if tg_op = 'UPDATE' and ((old.provider, old.vehicle_id, old.owner, old.entry_id, old.uuid, old.filename, old.content_type, old.size, old.uploaded_at) is not distinct from (new.provider, new.vehicle_id, new.owner, new.entry_id, new.uuid, new.filename, new.content_type, new.size, new.uploaded_at)) then
    return null;
  end if;
  if tg_op <> 'INSERT' then before := (select row_to_json(image) from (select old.provider, old.vehicle_id, old.owner, old.entry_id, old.uuid, old.filename, old.content_type, old.created_at, old.size, old.uploaded_at) image); end if;
  if tg_op <> 'DELETE' then after := (select row_to_json(image) from (select new.provider, new.vehicle_id, new.owner, new.entry_id, new.uuid, new.filename, new.content_type, new.created_at, new.size, new.uploaded_at) image); end if;
  insert into public.event_outbox (provider, type, vehicle_id, record_id, before, after)
  values (coalesce(new.provider, old.provider),
    'file.' || case when not tg_op <> 'INSERT' then 'created' when not tg_op <> 'DELETE' then 'deleted' else 'updated' end || '.v1', coalesce(new.vehicle_id, old.vehicle_id), coalesce((nullif(concat_ws('/', new.owner, new.entry_id, new.uuid), ''))::text, (nullif(concat_ws('/', old.owner, old.entry_id, old.uuid), ''))::text), before, after);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.event_charging_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before json;
  after json;
begin
  if tg_op = 'UPDATE' and ((tg_op <> 'INSERT' and (not old.superseded) is true) = (tg_op <> 'DELETE' and (not new.superseded) is true) and (old.provider, old.vehicle_id, old.id, old.source, old.from_time, old.from_level, old.to_time, old.to_level, old.charged_kwh, old.energy_basis) is not distinct from (new.provider, new.vehicle_id, new.id, new.source, new.from_time, new.from_level, new.to_time, new.to_level, new.charged_kwh, new.energy_basis) or (new.source = 'telemetry' and old.to_time is null and new.to_time is null and old.superseded = new.superseded)) or not (tg_op <> 'INSERT' and (not old.superseded) is true) and not (tg_op <> 'DELETE' and (not new.superseded) is true) then
    return null;
  end if;
  if (tg_op <> 'INSERT' and (not old.superseded) is true) then before := (select row_to_json(image) from (select old.provider, old.vehicle_id, old.id, old.version, old.source, old.from_time, old.from_level, old.to_time, old.to_level, old.charged_kwh, old.energy_basis, old.superseded, old.created_at, old.updated_at) image); end if;
  if (tg_op <> 'DELETE' and (not new.superseded) is true) then after := (select row_to_json(image) from (select new.provider, new.vehicle_id, new.id, new.version, new.source, new.from_time, new.from_level, new.to_time, new.to_level, new.charged_kwh, new.energy_basis, new.superseded, new.created_at, new.updated_at) image); end if;
  insert into public.event_outbox (provider, type, vehicle_id, record_id, before, after)
  values (coalesce(new.provider, old.provider),
    'charging-session.' || case when not (tg_op <> 'INSERT' and (not old.superseded) is true) then 'created' when not (tg_op <> 'DELETE' and (not new.superseded) is true) then 'deleted' else 'updated' end || '.v1', coalesce(new.vehicle_id, old.vehicle_id), coalesce((new.id)::text, (old.id)::text), before, after);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.event_checklist_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before json;
  after json;
begin
  if tg_op = 'UPDATE' and ((old.provider, old.vehicle_id, old.id, old."position", old.title, old.type, old.options, old.required, old.result, old.value, old.comment, old.customer_country_code, old.customer_provider_code, old.customer_id, old.performed_at, old.due_date) is not distinct from (new.provider, new.vehicle_id, new.id, new."position", new.title, new.type, new.options, new.required, new.result, new.value, new.comment, new.customer_country_code, new.customer_provider_code, new.customer_id, new.performed_at, new.due_date)) then
    return null;
  end if;
  if tg_op <> 'INSERT' then before := row_to_json(old); end if;
  if tg_op <> 'DELETE' then after := row_to_json(new); end if;
  insert into public.event_outbox (provider, type, vehicle_id, record_id, before, after)
  values (coalesce(new.provider, old.provider),
    'checklist-entry.' || case when not tg_op <> 'INSERT' then 'created' when not tg_op <> 'DELETE' then 'deleted' else 'updated' end || '.v1', coalesce(new.vehicle_id, old.vehicle_id), coalesce((new.id)::text, (old.id)::text), before, after);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.event_checklist_templates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before json;
  after json;
begin
  if tg_op = 'UPDATE' and ((old.provider, old.id, old.name, old.entries) is not distinct from (new.provider, new.id, new.name, new.entries)) then
    return null;
  end if;
  if tg_op <> 'INSERT' then before := row_to_json(old); end if;
  if tg_op <> 'DELETE' then after := row_to_json(new); end if;
  insert into public.event_outbox (provider, type, vehicle_id, record_id, before, after)
  values (coalesce(new.provider, old.provider),
    'checklist-template.' || case when not tg_op <> 'INSERT' then 'created' when not tg_op <> 'DELETE' then 'deleted' else 'updated' end || '.v1', null, coalesce((new.id)::text, (old.id)::text), before, after);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.event_columns(source text, without text[])
 RETURNS TABLE(number integer, name text, is_json boolean)
 LANGUAGE sql
 STABLE
AS $function$
  select attnum, quote_ident(attname), atttypid = 'json'::regtype from pg_attribute
  where attrelid = source::regclass and attnum > 0 and not attisdropped and attname <> all (without)
$function$;

CREATE OR REPLACE FUNCTION public.event_customer_erasures()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before json;
  after json;
begin
  if tg_op = 'UPDATE' and ((old.provider, old.id, old.requested_at, old.completed_at, old.erased_count, old.erases_positions) is not distinct from (new.provider, new.id, new.requested_at, new.completed_at, new.erased_count, new.erases_positions)) then
    return null;
  end if;
  if tg_op <> 'INSERT' then before := (select row_to_json(image) from (select old.provider, old.id, old.requested_at, old.completed_at, old.erased_count, old.erases_positions) image); end if;
  if tg_op <> 'DELETE' then after := (select row_to_json(image) from (select new.provider, new.id, new.requested_at, new.completed_at, new.erased_count, new.erases_positions) image); end if;
  insert into public.event_outbox (provider, type, vehicle_id, record_id, before, after)
  values (coalesce(new.provider, old.provider),
    'user-erasure.' || case when not tg_op <> 'INSERT' then 'created' when not tg_op <> 'DELETE' then 'deleted' else 'updated' end || '.v1', null, coalesce((new.id)::text, (old.id)::text), before, after);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.event_databoxes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before json;
  after json;
begin
  if tg_op = 'UPDATE' and ((old.provider, old.serial, old.vehicle_id, old.paired_at) is not distinct from (new.provider, new.serial, new.vehicle_id, new.paired_at)) then
    return null;
  end if;
  if tg_op <> 'INSERT' then before := row_to_json(old); end if;
  if tg_op <> 'DELETE' then after := row_to_json(new); end if;
  insert into public.event_outbox (provider, type, vehicle_id, record_id, before, after)
  values (coalesce(new.provider, old.provider),
    'databox.' || case when not tg_op <> 'INSERT' then 'created' when not tg_op <> 'DELETE' then 'deleted' else 'updated' end || '.v1', coalesce(new.vehicle_id, old.vehicle_id), coalesce((new.serial)::text, (old.serial)::text), before, after);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.event_drivers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before json;
  after json;
begin
  if tg_op = 'UPDATE' and ((old.provider, old.vehicle_id, old.customer_country_code, old.customer_provider_code, old.customer_id, old.added_at) is not distinct from (new.provider, new.vehicle_id, new.customer_country_code, new.customer_provider_code, new.customer_id, new.added_at)) then
    return null;
  end if;
  if tg_op <> 'INSERT' then before := row_to_json(old); end if;
  if tg_op <> 'DELETE' then after := row_to_json(new); end if;
  insert into public.event_outbox (provider, type, vehicle_id, record_id, before, after)
  values (coalesce(new.provider, old.provider),
    'driver.' || case when not tg_op <> 'INSERT' then 'created' when not tg_op <> 'DELETE' then 'deleted' else 'updated' end || '.v1', coalesce(new.vehicle_id, old.vehicle_id), coalesce((nullif(concat_ws('/', new.customer_country_code, new.customer_provider_code, new.customer_id), ''))::text, (nullif(concat_ws('/', old.customer_country_code, old.customer_provider_code, old.customer_id), ''))::text), before, after);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.event_incidents()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before json;
  after json;
begin
  if tg_op = 'UPDATE' and ((old.provider, old.vehicle_id, old.id, old.ocr_status, old.title, old.customer_country_code, old.customer_provider_code, old.customer_id, old.vehicle_operable, old.incident_timestamp, old.report_timestamp, old.location, old.incident_type, old.cause, old.notes, old.description, old.is_resolved) is not distinct from (new.provider, new.vehicle_id, new.id, new.ocr_status, new.title, new.customer_country_code, new.customer_provider_code, new.customer_id, new.vehicle_operable, new.incident_timestamp, new.report_timestamp, new.location, new.incident_type, new.cause, new.notes, new.description, new.is_resolved) and (old.damages::text is not distinct from new.damages::text or old.damages::jsonb is not distinct from new.damages::jsonb)) then
    return null;
  end if;
  if tg_op <> 'INSERT' then before := row_to_json(old); end if;
  if tg_op <> 'DELETE' then after := row_to_json(new); end if;
  insert into public.event_outbox (provider, type, vehicle_id, record_id, before, after)
  values (coalesce(new.provider, old.provider),
    'incident.' || case when not tg_op <> 'INSERT' then 'created' when not tg_op <> 'DELETE' then 'deleted' else 'updated' end || '.v1', coalesce(new.vehicle_id, old.vehicle_id), coalesce((new.id)::text, (old.id)::text), before, after);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.event_inspections()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before json;
  after json;
begin
  if tg_op = 'UPDATE' and ((tg_op <> 'INSERT' and (old.estimate is not null) is true) = (tg_op <> 'DELETE' and (new.estimate is not null) is true) and (old.provider, old.vehicle_id, old.passed_on, old.country, old.usage, old.fuel, old.category, old.estimated_date, old.estimate, old.estimated_at, old.vehicle_class, old.rules_reviewed_on) is not distinct from (new.provider, new.vehicle_id, new.passed_on, new.country, new.usage, new.fuel, new.category, new.estimated_date, new.estimate, new.estimated_at, new.vehicle_class, new.rules_reviewed_on) or (old.estimated_date is not distinct from new.estimated_date
     and old.estimate #- '{basis,ageMonths}' #- '{basis,odometer}' is not distinct from
       new.estimate #- '{basis,ageMonths}' #- '{basis,odometer}')) or not (tg_op <> 'INSERT' and (old.estimate is not null) is true) and not (tg_op <> 'DELETE' and (new.estimate is not null) is true) then
    return null;
  end if;
  if (tg_op <> 'INSERT' and (old.estimate is not null) is true) then before := row_to_json(old); end if;
  if (tg_op <> 'DELETE' and (new.estimate is not null) is true) then after := row_to_json(new); end if;
  insert into public.event_outbox (provider, type, vehicle_id, record_id, before, after)
  values (coalesce(new.provider, old.provider),
    'inspection.' || case when not (tg_op <> 'INSERT' and (old.estimate is not null) is true) then 'created' when not (tg_op <> 'DELETE' and (new.estimate is not null) is true) then 'deleted' else 'updated' end || '.v1', coalesce(new.vehicle_id, old.vehicle_id), coalesce((new.vehicle_id)::text, (old.vehicle_id)::text), before, after);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.event_logbook_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before json;
  after json;
begin
  if tg_op = 'UPDATE' and ((old.provider, old.vehicle_id, old.id, old.date, old.odometer, old.category, old.title, old.description, old.cost_amount, old.cost_currency, old.customer_country_code, old.customer_provider_code, old.customer_id, old.tags, old.maintenance_report_id) is not distinct from (new.provider, new.vehicle_id, new.id, new.date, new.odometer, new.category, new.title, new.description, new.cost_amount, new.cost_currency, new.customer_country_code, new.customer_provider_code, new.customer_id, new.tags, new.maintenance_report_id)) then
    return null;
  end if;
  if tg_op <> 'INSERT' then before := row_to_json(old); end if;
  if tg_op <> 'DELETE' then after := row_to_json(new); end if;
  insert into public.event_outbox (provider, type, vehicle_id, record_id, before, after)
  values (coalesce(new.provider, old.provider),
    'logbook-entry.' || case when not tg_op <> 'INSERT' then 'created' when not tg_op <> 'DELETE' then 'deleted' else 'updated' end || '.v1', coalesce(new.vehicle_id, old.vehicle_id), coalesce((new.id)::text, (old.id)::text), before, after);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.event_maintenance_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before json;
  after json;
begin
  if tg_op = 'UPDATE' and ((tg_op <> 'INSERT' and ((old.closed_at is null or old.done) and not old.withdrawn) is true) = (tg_op <> 'DELETE' and ((new.closed_at is null or new.done) and not new.withdrawn) is true) and (old.provider, old.vehicle_id, old.id, old.source, old.schedule_id, old.title, old.type, old.due_date, old.due_odometer, old.interval_months, old.interval_distance, old.last_done_date, old.last_done_odometer, old.notes, old.status, old.closed_at, old.withdrawn, old.calendar_months, old.reminder_days, old.reminder_distance, old.done) is not distinct from (new.provider, new.vehicle_id, new.id, new.source, new.schedule_id, new.title, new.type, new.due_date, new.due_odometer, new.interval_months, new.interval_distance, new.last_done_date, new.last_done_odometer, new.notes, new.status, new.closed_at, new.withdrawn, new.calendar_months, new.reminder_days, new.reminder_distance, new.done)) or not (tg_op <> 'INSERT' and ((old.closed_at is null or old.done) and not old.withdrawn) is true) and not (tg_op <> 'DELETE' and ((new.closed_at is null or new.done) and not new.withdrawn) is true) then
    return null;
  end if;
  if (tg_op <> 'INSERT' and ((old.closed_at is null or old.done) and not old.withdrawn) is true) then before := row_to_json(old); end if;
  if (tg_op <> 'DELETE' and ((new.closed_at is null or new.done) and not new.withdrawn) is true) then after := row_to_json(new); end if;
  insert into public.event_outbox (provider, type, vehicle_id, record_id, before, after)
  values (coalesce(new.provider, old.provider),
    'maintenance-report.' || case when not (tg_op <> 'INSERT' and ((old.closed_at is null or old.done) and not old.withdrawn) is true) then 'created' when not (tg_op <> 'DELETE' and ((new.closed_at is null or new.done) and not new.withdrawn) is true) then 'deleted' else 'updated' end || '.v1', coalesce(new.vehicle_id, old.vehicle_id), coalesce((new.id)::text, (old.id)::text), before, after);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.event_maintenance_schedules()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before json;
  after json;
begin
  if tg_op = 'UPDATE' and ((old.provider, old.id, old.title, old.type, old.interval_months, old.interval_distance, old.vendor, old.model, old.notes, old.calendar_months, old.reminder_days, old.reminder_distance) is not distinct from (new.provider, new.id, new.title, new.type, new.interval_months, new.interval_distance, new.vendor, new.model, new.notes, new.calendar_months, new.reminder_days, new.reminder_distance)) then
    return null;
  end if;
  if tg_op <> 'INSERT' then before := row_to_json(old); end if;
  if tg_op <> 'DELETE' then after := row_to_json(new); end if;
  insert into public.event_outbox (provider, type, vehicle_id, record_id, before, after)
  values (coalesce(new.provider, old.provider),
    'maintenance-schedule.' || case when not tg_op <> 'INSERT' then 'created' when not tg_op <> 'DELETE' then 'deleted' else 'updated' end || '.v1', null, coalesce((new.id)::text, (old.id)::text), before, after);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.event_saved_views()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before json;
  after json;
begin
  if tg_op = 'UPDATE' and ((old.provider, old.id, old.name, old.definition) is not distinct from (new.provider, new.id, new.name, new.definition)) then
    return null;
  end if;
  if tg_op <> 'INSERT' then before := row_to_json(old); end if;
  if tg_op <> 'DELETE' then after := row_to_json(new); end if;
  insert into public.event_outbox (provider, type, vehicle_id, record_id, before, after)
  values (coalesce(new.provider, old.provider),
    'saved-view.' || case when not tg_op <> 'INSERT' then 'created' when not tg_op <> 'DELETE' then 'deleted' else 'updated' end || '.v1', null, coalesce((new.id)::text, (old.id)::text), before, after);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.event_triggers()
 RETURNS void
 LANGUAGE plpgsql
AS $functionx$
declare
  source event_sources;
  is_whole boolean;
  unchanged text;
  image text;
  had text;
  has text;
begin
  for source in select * from event_sources order by name loop
    -- json has no equality; equal texts need no parsing.
    select format('(%s) is not distinct from (%s)',
        string_agg('old.' || name, ', ' order by number) filter (where not is_json),
        string_agg('new.' || name, ', ' order by number) filter (where not is_json))
      || coalesce(string_agg(replace(
        ' and (old.%::text is not distinct from new.%::text or old.%::jsonb is not distinct from new.%::jsonb)', '%', name
      ), '' order by number) filter (where is_json), '')
    into unchanged
    from event_columns(source.name, source.left_out || source.ignored);

    select case when source.left_out = '{}' then 'row_to_json(%)'
      else format('(select row_to_json(image) from (select %s) image)', string_agg('%.' || name, ', ' order by number)) end
    into image
    from event_columns(source.name, source.left_out);

    is_whole := source.visible = 'true';
    had := $code$tg_op <> 'INSERT'$code$;
    has := $code$tg_op <> 'DELETE'$code$;
    if not is_whole then
      had := format('(%s and (%s) is true)', had, replace(source.visible, 'record.', 'old.'));
      has := format('(%s and (%s) is true)', has, replace(source.visible, 'record.', 'new.'));
      unchanged := format('%s = %s and %s', had, has, unchanged);
    end if;

    execute format($function$
create or replace function event_%1$s() returns trigger language plpgsql as $body$
declare
  before json;
  after json;
begin
  if tg_op = 'UPDATE' and (%2$s%3$s)%4$s then
    return null;
  end if;
  if %6$s then before := %10$s; end if;
  if %7$s then after := %11$s; end if;
  insert into public.event_outbox (provider, type, vehicle_id, record_id, before, after)
  values (coalesce(new.provider, old.provider),
    %5$L || case when not %6$s then 'created' when not %7$s then 'deleted' else 'updated' end || '.v1', %8$s, %9$s, before, after);
  return null;
end
$body$$function$,
      source.name, unchanged,
      case when source.growth <> 'false' then format(' or (%s)', source.growth) end,
      case when not is_whole then format(' or not %s and not %s', had, has) end,
      source.type || '.', had, has,
      case when source.vehicle_column is null then 'null'
        else replace('coalesce(new.%, old.%)', '%', quote_ident(source.vehicle_column)) end,
      format('coalesce((%s)::text, (%s)::text)',
        replace(source.id_expression, 'record.', 'new.'), replace(source.id_expression, 'record.', 'old.')),
      replace(image, '%', 'old'), replace(image, '%', 'new'));
    -- One that is there stays: to make it anew would lock the table while writers of it wait for the outbox.
    if not exists (select from pg_trigger where tgrelid = source.name::regclass and tgname = 'event') then
      execute format($trigger$
create constraint trigger event after insert or update or delete on %1$I deferrable initially deferred for each row
when (current_setting('motorpool.events', true) is distinct from 'off') execute function event_%1$s()$trigger$, source.name);
    end if;
  end loop;
end
$functionx$;

CREATE OR REPLACE FUNCTION public.event_vehicles()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before json;
  after json;
begin
  if tg_op = 'UPDATE' and ((old.provider, old.id, old.blob_uuid, old.default_image, old.active, old.vin, old.vendor, old.model, old.variant, old.license_plate, old.seats, old.first_registration_date, old.build_year, old.ev_battery_capacity, old.ice_tank_capacity, old.track_geolocation) is not distinct from (new.provider, new.id, new.blob_uuid, new.default_image, new.active, new.vin, new.vendor, new.model, new.variant, new.license_plate, new.seats, new.first_registration_date, new.build_year, new.ev_battery_capacity, new.ice_tank_capacity, new.track_geolocation)) then
    return null;
  end if;
  if tg_op <> 'INSERT' then before := (select row_to_json(image) from (select old.provider, old.id, old.version, old.blob_uuid, old.default_image, old.active, old.vin, old.vendor, old.model, old.variant, old.license_plate, old.seats, old.first_registration_date, old.build_year, old.ev_battery_capacity, old.ice_tank_capacity, old.track_geolocation, old.created_at, old.updated_at) image); end if;
  if tg_op <> 'DELETE' then after := (select row_to_json(image) from (select new.provider, new.id, new.version, new.blob_uuid, new.default_image, new.active, new.vin, new.vendor, new.model, new.variant, new.license_plate, new.seats, new.first_registration_date, new.build_year, new.ev_battery_capacity, new.ice_tank_capacity, new.track_geolocation, new.created_at, new.updated_at) image); end if;
  insert into public.event_outbox (provider, type, vehicle_id, record_id, before, after)
  values (coalesce(new.provider, old.provider),
    'vehicle.' || case when not tg_op <> 'INSERT' then 'created' when not tg_op <> 'DELETE' then 'deleted' else 'updated' end || '.v1', coalesce(new.id, old.id), coalesce((new.id)::text, (old.id)::text), before, after);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.folded_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(value) = length(value)) THEN (lower((value COLLATE "C")) COLLATE text_order) ELSE translate(replace(replace(replace(replace(regexp_replace(CASE WHEN has_long_marks(value) THEN lower((value COLLATE text_order)) ELSE NORMALIZE(lower((value COLLATE text_order)), NFD) END, '[\u0300-\u036f]'::text, ''::text, 'g'::text), 'ß'::text, 'ss'::text), 'æ'::text, 'ae'::text), 'œ'::text, 'oe'::text), 'þ'::text, 'th'::text), 'øłđðħıŧς  ‐‑‒–—―−'::text, 'olddhitσ  -------'::text) END;

CREATE OR REPLACE FUNCTION public.has_long_marks(value text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((length(value) > 100) AND (value ~ '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u08e1\u08e3-\u08ff\u093c\u094d\u0951-\u0954\u09bc\u09cd\u09fe\u0a3c-\u0a4d\u0abc\u0acd\u0b3c\u0b4d\u0bcd\u0c3c\u0c4d-\u0c56\u0cbc\u0ccd\u0d3b-\u0d3c\u0d4d\u0dca\u0e38-\u0e3a\u0e48-\u0e4b\u0eb8-\u0eba\u0ec8-\u0ecb\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f71-\u0f84\u0f86-\u0f87\u0fc6\u1037-\u103a\u108d\u135d-\u135f\u1714-\u1715\u1734\u17d2\u17dd\u18a9\u1939-\u193b\u1a17-\u1a18\u1a60-\u1a7f\u1ab0-\u1aeb\u1b34-\u1b44\u1b6b-\u1b73\u1baa-\u1bab\u1be6-\u1bf3\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce8\u1ced\u1cf4\u1cf8-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099-\u309a\ua66f\ua674-\ua67d\ua69e-\ua69f\ua6f0-\ua6f1\ua806\ua82c\ua8c4\ua8e0-\ua8f1\ua92b-\ua92d\ua953\ua9b3-\ua9c0\uaab0\uaab2-\uaab4\uaab7-\uaab8\uaabe-\uaabf\uaac1\uaaf6\uabed\ufb1e\ufe20-\ufe2f\U000101fd\U000102e0\U00010376-\U0001037a\U00010a0d-\U00010a0f\U00010a38-\U00010a3f\U00010ae5-\U00010ae6\U00010d24-\U00010d27\U00010d69-\U00010d6d\U00010eab-\U00010eac\U00010efa-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011046\U00011070\U0001107f\U000110b9-\U000110ba\U00011100-\U00011102\U00011133-\U00011134\U00011173\U000111c0\U000111ca\U00011235-\U00011236\U000112e9-\U000112ea\U0001133b-\U0001133c\U0001134d\U00011366-\U00011374\U000113ce-\U000113d0\U00011442-\U00011446\U0001145e\U000114c2-\U000114c3\U000115bf-\U000115c0\U0001163f\U000116b6-\U000116b7\U0001172b\U00011839-\U0001183a\U0001193d-\U0001193e\U00011943\U000119e0\U00011a34\U00011a47\U00011a99\U00011c3f\U00011d42-\U00011d45\U00011d97\U00011f41-\U00011f42\U0001612f\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016ff0-\U00016ff1\U0001bc9e\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001e000-\U0001e02a\U0001e08f\U0001e130-\U0001e136\U0001e2ae\U0001e2ec-\U0001e2ef\U0001e4ec-\U0001e4ef\U0001e5ee-\U0001e5ef\U0001e6e3\U0001e6e6\U0001e6ee-\U0001e6ef\U0001e6f5\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a]{31}'::text));

CREATE OR REPLACE FUNCTION public.invoice_state(fleet text, record text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return (
    select to_jsonb(i) || jsonb_build_object('lines', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.position) from public.invoice_lines l
      where l.provider = fleet and l.invoice_id = record::uuid
    ), '[]'))
    from public.invoices i where i.provider = fleet and i.id = record::uuid
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.item_date(value date)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin return to_json(value) #>> '{}'; end
$function$;

CREATE OR REPLACE FUNCTION public.item_members(VARIADIC members text[])
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin return array_to_string(members, ','); end
$function$;

CREATE OR REPLACE FUNCTION public.item_text(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin return to_json(value)::text; end
$function$;

CREATE OR REPLACE FUNCTION public.keep_charging_item()
 RETURNS trigger
 LANGUAGE plpgsql
 SET extra_float_digits TO '1'
AS $function$
begin
  new.item := case when new.to_time is not null then public.charging_item(
    new.id, new.from_time, new.from_level, new.to_time, new.lat, new.lng, new.to_level, new.charged_kwh) end;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.normalized_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(value) = length(value)) THEN (lower((value COLLATE "C")) COLLATE text_order) WHEN has_long_marks(value) THEN lower((value COLLATE text_order)) ELSE NORMALIZE(lower((value COLLATE text_order)), NFC) END;

CREATE OR REPLACE FUNCTION public.profile_state(fleet text, record text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return (
    select coalesce(to_jsonb(f), '{}') || jsonb_build_object('provider', p.id, 'name', p.name)
    from public.providers p left join public.provider_profiles f on f.provider = p.id where p.id = fleet
  );
end
$function$;

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
  constraint audit_events_pkey PRIMARY KEY (provider, occurred_at, id)
) partition by RANGE (occurred_at);

create table audit_key_customers (
  provider text collate "C" not null,
  customer_country_code text collate "C" not null,
  customer_provider_code text collate "C" not null,
  customer_id uuid not null,
  key_id uuid not null,
  is_of_customer boolean not null default false,
  constraint audit_key_customers_pkey PRIMARY KEY (provider, customer_country_code, customer_provider_code, customer_id, key_id)
);
CREATE INDEX audit_key_customers_own ON audit_key_customers USING btree (provider, customer_country_code, customer_provider_code, customer_id, key_id) WHERE is_of_customer;

create table audit_keys (
  provider text collate "C" not null,
  id uuid not null,
  key bytea not null default gen_random_bytes(32),
  constraint audit_keys_pkey PRIMARY KEY (provider, id)
);

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
  update_condition text not null default 'true'::text,
  key_expression text not null default 'record.id'::text,
  constraint audited_tables_pkey PRIMARY KEY (name)
);

create table blobs (
  provider text collate "C" not null,
  vehicle_id text collate "C",
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
  constraint blobs_owner_check CHECK (owner = ANY (ARRAY['logbook'::text, 'incidents'::text, 'checklist'::text, 'invoices'::text])) NOT VALID,
  constraint blobs_upload_check CHECK ((object_key IS NULL) = (size IS NULL) AND (object_key IS NULL) = (uploaded_at IS NULL)),
  constraint blobs_vehicle_check CHECK ((vehicle_id IS NULL) = (owner = 'invoices'::text)) NOT VALID
);
CREATE INDEX blobs_by_entry ON blobs USING btree (provider, owner, entry_id);
CREATE INDEX blobs_by_object ON blobs USING btree (provider, object_key) WHERE object_key IS NOT NULL;
CREATE INDEX blobs_by_vehicle ON blobs USING btree (provider, vehicle_id) WHERE vehicle_id IS NOT NULL;

create table charging_redetections (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  constraint charging_redetections_pkey PRIMARY KEY (provider, vehicle_id),
  constraint charging_redetections_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE
);

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
  item text collate "C",
  constraint charging_sessions_pkey PRIMARY KEY (provider, vehicle_id, id),
  constraint charging_sessions_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint charging_sessions_charged_kwh_check CHECK (charged_kwh >= 0::double precision),
  constraint charging_sessions_energy_basis_check CHECK (energy_basis = ANY (ARRAY['measured'::text, 'estimated'::text, 'mixed'::text])) NOT VALID,
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
CREATE INDEX checklist_entries_by_customer ON checklist_entries USING btree (provider, customer_id) WHERE customer_id IS NOT NULL;
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
  version integer not null default (EXTRACT(epoch FROM now()) - 1767225600::numeric)::integer,
  updated_at timestamp(3) with time zone not null default now(),
  previous_secret_hash bytea,
  previous_expires_at timestamp(3) with time zone,
  audiences text[] not null default '{}'::text[],
  constraint clients_pkey PRIMARY KEY (provider, id),
  constraint clients_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id),
  constraint clients_role_check CHECK (role = ANY (ARRAY['databox'::text, 'viewer'::text, 'editor'::text, 'admin'::text]))
);

create table customer_erasures (
  provider text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  customer_country_code text collate "C",
  customer_provider_code text collate "C",
  customer_id uuid,
  requested_at timestamp(3) with time zone not null,
  completed_at timestamp(3) with time zone,
  erased_count bigint not null default 0,
  erases_positions boolean not null default false,
  constraint customer_erasures_pkey PRIMARY KEY (provider, id),
  constraint customer_erasures_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id) ON DELETE CASCADE,
  constraint customer_erasures_customer_check CHECK ((completed_at IS NULL) = (customer_id IS NOT NULL))
);
CREATE UNIQUE INDEX customer_erasures_by_customer ON customer_erasures USING btree (provider, customer_country_code, customer_provider_code, customer_id) WHERE customer_id IS NOT NULL;

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

create table event_log (
  provider text collate "C" not null,
  number bigint not null,
  event_id uuid not null,
  type text collate "C" not null,
  vehicle_id text collate "C",
  record_id text collate "C" not null,
  occurred_at timestamp(3) with time zone not null,
  before json,
  after json,
  erased boolean not null default false,
  constraint event_log_pkey PRIMARY KEY (provider, number)
);

create table event_outbox (
  provider text collate "C" not null,
  id bigint not null default nextval('event_outbox_id_seq'::regclass),
  event_id uuid not null default gen_random_uuid(),
  type text collate "C" not null,
  vehicle_id text collate "C",
  record_id text collate "C" not null,
  occurred_at timestamp(3) with time zone not null default clock_timestamp(),
  before json,
  after json,
  transaction xid8,
  constraint event_outbox_pkey PRIMARY KEY (provider, id)
) with (toast_tuple_target=8160);
CREATE INDEX event_outbox_by_transaction ON event_outbox USING btree (provider, record_id, transaction) WHERE transaction IS NOT NULL;

create table event_sequences (
  provider text collate "C" not null,
  last_number bigint not null default 0,
  constraint event_sequences_pkey PRIMARY KEY (provider)
);

create table event_sources (
  name text collate "C" not null,
  type text not null,
  vehicle_column text,
  id_expression text not null default 'record.id'::text,
  left_out text[] not null default '{}'::text[],
  ignored text[] not null default '{version,created_at,updated_at}'::text[],
  visible text not null default 'true'::text,
  growth text not null default 'false'::text,
  constraint event_sources_pkey PRIMARY KEY (name)
);

create table fleet_versions (
  provider text collate "C" not null,
  version uuid not null,
  constraint fleet_versions_pkey PRIMARY KEY (provider),
  constraint fleet_versions_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id) ON DELETE CASCADE
);

create table idempotency_keys (
  provider text collate "C" not null,
  id text collate "C" not null,
  fingerprint bytea not null,
  sealed_answer text not null,
  expires_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (provider, id),
  constraint idempotency_keys_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id)
);
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys USING btree (expires_at);

create table incident_documents (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  incident_id uuid not null,
  blob_uuid uuid not null,
  object_key text collate "C",
  failure text,
  source text,
  page_count integer,
  page_texts text[] not null default '{}'::text[],
  suggestions jsonb not null default '[]'::jsonb,
  read_at timestamp(3) with time zone not null,
  constraint incident_documents_pkey PRIMARY KEY (provider, blob_uuid),
  constraint incident_documents_blob_fkey FOREIGN KEY (provider, blob_uuid) REFERENCES blobs(provider, uuid) ON DELETE CASCADE,
  constraint incident_documents_incident_fkey FOREIGN KEY (provider, vehicle_id, incident_id) REFERENCES incidents(provider, vehicle_id, id) ON DELETE CASCADE,
  constraint incident_documents_failure_check CHECK ((failure IS NULL) = (source IS NOT NULL)),
  constraint incident_documents_source_check CHECK (source = ANY (ARRAY['text-layer'::text, 'recognition'::text]))
);
CREATE INDEX incident_documents_by_incident ON incident_documents USING btree (provider, vehicle_id, incident_id);

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
CREATE INDEX incidents_by_customer ON incidents USING btree (provider, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX incidents_by_report_time ON incidents USING btree (provider, report_timestamp DESC, id);
CREATE INDEX incidents_waiting ON incidents USING btree (provider, vehicle_id, id) WHERE ocr_status = 'PROCESSING'::text;
CREATE INDEX incidents_with_open_damages ON incidents USING btree (provider, vehicle_id, report_timestamp, id) WHERE NOT is_resolved AND damages IS NOT NULL;

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
  vehicle_class text,
  rules_reviewed_on date,
  constraint inspections_pkey PRIMARY KEY (provider, vehicle_id),
  constraint inspections_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint inspections_category_check CHECK (category = ANY (ARRAY['car'::text, 'van'::text])),
  constraint inspections_fuel_check CHECK (fuel = ANY (ARRAY['petrol'::text, 'diesel'::text, 'lpg'::text, 'electric'::text, 'hybrid'::text])),
  constraint inspections_usage_check CHECK (usage = ANY (ARRAY['private'::text, 'rental'::text, 'taxi'::text])),
  constraint inspections_vehicle_class_check CHECK (vehicle_class = ANY (ARRAY['M1'::text, 'N1'::text, 'N2'::text, 'N3'::text, 'M2'::text, 'M3'::text, 'O'::text, 'L'::text])) NOT VALID
);

create table invoice_lines (
  provider text collate "C" not null,
  invoice_id uuid not null,
  "position" integer not null,
  line_number text not null,
  text text not null,
  description text,
  kind text not null,
  quantity numeric not null,
  unit text not null,
  unit_price numeric not null,
  price_base_quantity numeric not null,
  allowances jsonb not null default '[]'::jsonb,
  charges jsonb not null default '[]'::jsonb,
  net_amount bigint not null,
  vat_category text not null,
  vat_rate numeric,
  service_from date,
  service_to date,
  vehicle_id text collate "C",
  charging_session_id text collate "C",
  maintenance_report_id uuid,
  logbook_entry_id uuid,
  incident_id uuid,
  cost_amount bigint not null,
  cost_tax_amount bigint not null,
  cost_date date,
  constraint invoice_lines_pkey PRIMARY KEY (provider, invoice_id, "position"),
  constraint invoice_lines_charging_session_fkey FOREIGN KEY (provider, vehicle_id, charging_session_id) REFERENCES charging_sessions(provider, vehicle_id, id) ON DELETE SET NULL (charging_session_id),
  constraint invoice_lines_incident_fkey FOREIGN KEY (provider, vehicle_id, incident_id) REFERENCES incidents(provider, vehicle_id, id) ON DELETE SET NULL (incident_id),
  constraint invoice_lines_invoice_fkey FOREIGN KEY (provider, invoice_id) REFERENCES invoices(provider, id) ON DELETE CASCADE,
  constraint invoice_lines_logbook_entry_fkey FOREIGN KEY (provider, vehicle_id, logbook_entry_id) REFERENCES logbook_entries(provider, vehicle_id, id) ON DELETE SET NULL (logbook_entry_id),
  constraint invoice_lines_maintenance_report_fkey FOREIGN KEY (provider, vehicle_id, maintenance_report_id) REFERENCES maintenance_reports(provider, vehicle_id, id) ON DELETE SET NULL (maintenance_report_id),
  constraint invoice_lines_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE SET NULL (vehicle_id),
  constraint invoice_lines_kind_check CHECK (kind = ANY (ARRAY['energy'::text, 'fuel'::text, 'maintenance'::text, 'repair'::text, 'tyres'::text, 'insurance'::text, 'tax'::text, 'leasing'::text, 'parking'::text, 'toll'::text, 'cleaning'::text, 'fine'::text, 'other'::text])),
  constraint invoice_lines_vehicle_check CHECK (vehicle_id IS NOT NULL OR num_nonnulls(charging_session_id, maintenance_report_id, logbook_entry_id, incident_id) = 0)
);
CREATE INDEX invoice_lines_by_charging_session ON invoice_lines USING btree (provider, vehicle_id, charging_session_id) WHERE charging_session_id IS NOT NULL;
CREATE INDEX invoice_lines_by_cost_date ON invoice_lines USING btree (provider, cost_date);
CREATE INDEX invoice_lines_by_incident ON invoice_lines USING btree (provider, vehicle_id, incident_id) WHERE incident_id IS NOT NULL;
CREATE INDEX invoice_lines_by_logbook_entry ON invoice_lines USING btree (provider, vehicle_id, logbook_entry_id) WHERE logbook_entry_id IS NOT NULL;
CREATE INDEX invoice_lines_by_maintenance_report ON invoice_lines USING btree (provider, vehicle_id, maintenance_report_id) WHERE maintenance_report_id IS NOT NULL;
CREATE INDEX invoice_lines_by_vehicle ON invoice_lines USING btree (provider, vehicle_id, cost_date) WHERE vehicle_id IS NOT NULL;
CREATE INDEX invoice_lines_by_vehicle_text ON invoice_lines USING btree (provider, normalized_text(vehicle_id) COLLATE text_order);

create table invoice_readings (
  provider text collate "C" not null,
  invoice_id uuid not null,
  blob_uuid uuid not null,
  status text not null,
  failure text,
  source text,
  page_count integer,
  page_texts text[] not null default '{}'::text[],
  suggestions jsonb not null default '[]'::jsonb,
  read_at timestamp(3) with time zone,
  constraint invoice_readings_pkey PRIMARY KEY (provider, invoice_id),
  constraint invoice_readings_blob_fkey FOREIGN KEY (provider, blob_uuid) REFERENCES blobs(provider, uuid) ON DELETE CASCADE,
  constraint invoice_readings_invoice_fkey FOREIGN KEY (provider, invoice_id) REFERENCES invoices(provider, id) ON DELETE CASCADE,
  constraint invoice_readings_failure_check CHECK ((failure IS NOT NULL) = (status = 'ERROR'::text)),
  constraint invoice_readings_status_check CHECK (status = ANY (ARRAY['PROCESSING'::text, 'PROCESSED'::text, 'ERROR'::text]))
);
CREATE INDEX invoice_readings_by_blob ON invoice_readings USING btree (provider, blob_uuid);
CREATE INDEX invoice_readings_waiting ON invoice_readings USING btree (provider, invoice_id) WHERE status = 'PROCESSING'::text;

create table invoices (
  provider text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  status text not null,
  type text not null,
  number text,
  supplier_name text,
  supplier_vat_id text,
  supplier_tax_number text,
  supplier_registration text,
  supplier_address jsonb,
  buyer_reference text,
  order_reference text,
  issue_date date,
  due_date date,
  service_date date,
  service_from date,
  service_to date,
  currency text not null,
  note text,
  allowances jsonb not null default '[]'::jsonb,
  charges jsonb not null default '[]'::jsonb,
  vat_breakdown jsonb not null default '[]'::jsonb,
  line_net_amount bigint not null,
  allowance_amount bigint not null,
  charge_amount bigint not null,
  tax_exclusive_amount bigint not null,
  tax_amount bigint not null,
  tax_inclusive_amount bigint not null,
  prepaid_amount bigint not null,
  rounding_amount bigint not null,
  payable_amount bigint not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  was_open boolean not null default false,
  constraint invoices_pkey PRIMARY KEY (provider, id),
  constraint invoices_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id) ON DELETE CASCADE,
  constraint invoices_complete_check CHECK ((status = ANY (ARRAY['draft'::text, 'cancelled'::text])) OR number IS NOT NULL AND supplier_name IS NOT NULL AND issue_date IS NOT NULL),
  constraint invoices_status_check CHECK (status = ANY (ARRAY['draft'::text, 'open'::text, 'approved'::text, 'disputed'::text, 'paid'::text, 'cancelled'::text])),
  constraint invoices_type_check CHECK (type = ANY (ARRAY['invoice'::text, 'credit_note'::text]))
);
CREATE INDEX invoices_by_issue_date ON invoices USING btree (provider, issue_date DESC NULLS LAST, created_at DESC, id);
CREATE INDEX invoices_by_number ON invoices USING btree (provider, normalized_text(number));

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
  maintenance_report_id uuid,
  constraint logbook_entries_pkey PRIMARY KEY (provider, vehicle_id, id),
  constraint logbook_entries_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint logbook_entries_category_check CHECK (category = ANY (ARRAY['fuel'::text, 'charging'::text, 'service'::text, 'repair'::text, 'inspection'::text, 'tyres'::text, 'cleaning'::text, 'toll'::text, 'parking'::text, 'fine'::text, 'insurance'::text, 'tax'::text, 'accident'::text, 'other'::text])),
  constraint logbook_entries_cost_check CHECK ((cost_amount IS NULL) = (cost_currency IS NULL))
);
CREATE INDEX logbook_entries_by_customer ON logbook_entries USING btree (provider, customer_id) WHERE customer_id IS NOT NULL;
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
  calendar_months smallint[],
  reminder_days integer,
  reminder_distance double precision,
  done boolean not null default false,
  reset_on date,
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
CREATE INDEX maintenance_reports_open ON maintenance_reports USING btree (provider, vehicle_id, id) WHERE closed_at IS NULL;
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
  calendar_months smallint[],
  reminder_days integer,
  reminder_distance double precision,
  constraint maintenance_schedules_pkey PRIMARY KEY (provider, id),
  constraint maintenance_schedules_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id),
  constraint maintenance_schedules_interval_check CHECK (interval_months IS NOT NULL OR interval_distance IS NOT NULL OR calendar_months IS NOT NULL),
  constraint maintenance_schedules_interval_distance_check CHECK (interval_distance > 0::double precision),
  constraint maintenance_schedules_interval_months_check CHECK (interval_months > 0),
  constraint maintenance_schedules_type_check CHECK (type = ANY (ARRAY['service'::text, 'inspection'::text, 'repair'::text, 'tyres'::text, 'other'::text]))
);

create table mqtt_sessions (
  number integer not null,
  holder uuid,
  held_until timestamp with time zone not null,
  constraint mqtt_sessions_pkey PRIMARY KEY (number),
  constraint mqtt_sessions_number_check CHECK (number >= 0)
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
CREATE INDEX oidc_records_by_account ON oidc_records USING btree (provider, kind, (payload ->> 'accountId'::text), id) WHERE (kind = ANY (ARRAY['Session'::text, 'Grant'::text])) AND consumed_at IS NULL;
CREATE INDEX oidc_records_by_client ON oidc_records USING btree (provider, (payload ->> 'clientId'::text), id) WHERE kind = 'Grant'::text AND consumed_at IS NULL;
CREATE INDEX oidc_records_by_expiry ON oidc_records USING btree (expires_at);
CREATE INDEX oidc_records_by_grant ON oidc_records USING btree (provider, grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oidc_records_by_uid ON oidc_records USING btree (provider, uid) WHERE uid IS NOT NULL;

create table past_assignments (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  customer_country_code text collate "C",
  customer_provider_code text collate "C",
  customer_id uuid,
  added_at timestamp(3) with time zone not null,
  removed_at timestamp(3) with time zone not null,
  constraint past_assignments_pkey PRIMARY KEY (provider, vehicle_id, id),
  constraint past_assignments_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint past_assignments_period_check CHECK (removed_at >= added_at)
);
CREATE INDEX past_assignments_by_customer ON past_assignments USING btree (provider, customer_country_code, customer_provider_code, customer_id, added_at);

create table provider_profiles (
  provider text collate "C" not null,
  version integer not null default 1,
  legal_form text,
  address_street text,
  address_zip text,
  address_city text,
  address_region text,
  address_country text,
  contact_name text,
  contact_email text,
  contact_phone text,
  time_zone text,
  locale text,
  currency text,
  vat_id text,
  default_vehicle_class text,
  default_usage text,
  electricity_price_per_kwh double precision,
  position_retention_days integer,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  erase_positions_with_customer boolean,
  constraint provider_profiles_pkey PRIMARY KEY (provider),
  constraint provider_profiles_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id) ON DELETE CASCADE,
  constraint provider_profiles_default_usage_check CHECK (default_usage = ANY (ARRAY['private'::text, 'rental'::text, 'taxi'::text])),
  constraint provider_profiles_default_vehicle_class_check CHECK (default_vehicle_class = ANY (ARRAY['M1'::text, 'N1'::text, 'N2'::text, 'N3'::text, 'M2'::text, 'M3'::text, 'O'::text, 'L'::text])),
  constraint provider_profiles_position_retention_days_check CHECK (position_retention_days > 0),
  constraint provider_profiles_time_zone_check CHECK (time_zone ~ '^[A-Za-z0-9_+/-]+$'::text)
);

create table providers (
  id text collate "C" not null,
  name text not null,
  demo boolean not null default false,
  created_at timestamp with time zone not null default now(),
  disabled_at timestamp with time zone,
  maintenance_refreshed_on date,
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

create table revoked_tokens (
  provider text collate "C" not null,
  token_id text collate "C" not null,
  revoked_at timestamp with time zone not null default now(),
  constraint revoked_tokens_pkey PRIMARY KEY (provider, token_id),
  constraint revoked_tokens_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id)
);
CREATE INDEX revoked_tokens_by_time ON revoked_tokens USING btree (provider, revoked_at);

create table saved_views (
  provider text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  name text not null,
  definition jsonb not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint saved_views_pkey PRIMARY KEY (provider, id),
  constraint saved_views_name_key UNIQUE (provider, name),
  constraint saved_views_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id)
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

create table status_changes (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  changed_at timestamp with time zone not null,
  constraint status_changes_pkey PRIMARY KEY (provider, vehicle_id)
);
CREATE INDEX status_changes_by_time ON status_changes USING btree (provider, changed_at);

create table status_watchers (
  provider text collate "C" not null,
  watcher uuid not null,
  watches_until timestamp with time zone not null,
  constraint status_watchers_pkey PRIMARY KEY (provider, watcher)
);

create table stored_objects (
  provider text collate "C" not null,
  key text collate "C" not null,
  created_at timestamp with time zone not null default now(),
  released_at timestamp with time zone,
  constraint stored_objects_pkey PRIMARY KEY (provider, key),
  constraint stored_objects_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id)
);
CREATE INDEX stored_objects_released ON stored_objects USING btree (provider, key) WHERE released_at IS NOT NULL;

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
  email text,
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
  state_of_charge double precision,
  speed double precision,
  heading double precision,
  altitude double precision,
  outside_temperature double precision,
  battery_voltage double precision,
  fuel_consumed double precision,
  extra jsonb,
  odometer_confirmed boolean,
  constraint vehicle_history_pkey PRIMARY KEY (provider, vehicle_id, "time")
) partition by RANGE ("time");

create table vehicle_image_files (
  provider text collate "C" not null,
  vehicle_id text collate "C" not null,
  size integer not null,
  format text collate "C" not null,
  uuid uuid not null,
  width integer not null,
  height integer not null,
  object_key text collate "C" not null,
  bytes bigint not null,
  created_at timestamp with time zone not null,
  constraint vehicle_image_files_pkey PRIMARY KEY (provider, vehicle_id, size, format),
  constraint vehicle_image_files_object_fkey FOREIGN KEY (provider, object_key) REFERENCES stored_objects(provider, key),
  constraint vehicle_image_files_vehicle_fkey FOREIGN KEY (provider, vehicle_id) REFERENCES vehicles(provider, id) ON DELETE CASCADE,
  constraint vehicle_image_files_format_check CHECK (format = ANY (ARRAY['webp'::text, 'avif'::text]))
);
CREATE INDEX vehicle_image_files_by_object ON vehicle_image_files USING btree (provider, object_key);

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
  state_of_charge double precision,
  state_of_charge_at timestamp(3) with time zone,
  speed double precision,
  speed_at timestamp(3) with time zone,
  heading double precision,
  heading_at timestamp(3) with time zone,
  altitude double precision,
  altitude_at timestamp(3) with time zone,
  outside_temperature double precision,
  outside_temperature_at timestamp(3) with time zone,
  battery_voltage double precision,
  battery_voltage_at timestamp(3) with time zone,
  fuel_consumed double precision,
  fuel_consumed_at timestamp(3) with time zone,
  extra jsonb,
  doubted_odometer double precision,
  doubted_odometer_at timestamp(3) with time zone,
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
CREATE INDEX vehicles_by_trigrams ON vehicles USING gin (search_trigrams(provider, search_text)) WITH (gin_pending_list_limit='64');
CREATE INDEX vehicles_by_update ON vehicles USING btree (provider, updated_at, id);
CREATE INDEX vehicles_by_vin ON vehicles USING btree (provider, vin_key(vin) COLLATE "C") WHERE active;

create table webhook_deliveries (
  provider text collate "C" not null,
  webhook_id uuid not null,
  number bigint not null,
  event_id uuid not null,
  type text collate "C" not null,
  vehicle_id text collate "C",
  status text collate "C" not null default 'pending'::text,
  tries integer not null default 0,
  created_at timestamp(3) with time zone not null default now(),
  first_tried_at timestamp(3) with time zone,
  last_tried_at timestamp(3) with time zone,
  next_try_at timestamp(3) with time zone default now(),
  answer_status integer,
  error text,
  constraint webhook_deliveries_pkey PRIMARY KEY (provider, webhook_id, number),
  constraint webhook_deliveries_webhook_fkey FOREIGN KEY (provider, webhook_id) REFERENCES webhooks(provider, id) ON DELETE CASCADE,
  constraint webhook_deliveries_status_check CHECK (status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))
);
CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (provider, webhook_id, next_try_at) WHERE next_try_at IS NOT NULL;

create table webhooks (
  provider text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  url text not null,
  description text,
  types text[] not null default '{}'::text[],
  sealed_secret text not null,
  previous_sealed_secret text,
  previous_expires_at timestamp(3) with time zone,
  status text collate "C" not null default 'active'::text,
  status_reason text,
  "position" bigint not null,
  failing_since timestamp(3) with time zone,
  leased_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint webhooks_pkey PRIMARY KEY (provider, id),
  constraint webhooks_provider_fkey FOREIGN KEY (provider) REFERENCES providers(id),
  constraint webhooks_status_check CHECK (status = ANY (ARRAY['active'::text, 'paused'::text, 'ended'::text]))
);

CREATE TRIGGER audit_delete AFTER DELETE ON blobs FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_blobs_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON charging_sessions FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND old.source = 'recorded'::text) EXECUTE FUNCTION audit_charging_sessions_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON checklist_entries FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_checklist_entries_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON checklist_templates FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_checklist_templates_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON clients FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_clients_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON customer_erasures FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_customer_erasures_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON databoxes FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_databoxes_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON drivers FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_drivers_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON incidents FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_incidents_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON inspections FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_inspections_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON invoice_lines FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_invoice_lines_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON invoices FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_invoices_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON logbook_entries FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_logbook_entries_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON maintenance_reports FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND old.source = 'manual'::text) EXECUTE FUNCTION audit_maintenance_reports_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON maintenance_schedules FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_maintenance_schedules_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON provider_profiles FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_provider_profiles_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON providers FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_providers_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON realm_keys FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_realm_keys_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON saved_views FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_saved_views_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON second_factors FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_second_factors_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON token_revocations FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_token_revocations_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON users FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_users_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON vehicles FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_vehicles_delete();

CREATE TRIGGER audit_delete AFTER DELETE ON webhooks FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_webhooks_delete();

CREATE TRIGGER audit_insert AFTER INSERT ON blobs FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_blobs_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON charging_sessions FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND new.source = 'recorded'::text) EXECUTE FUNCTION audit_charging_sessions_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON checklist_entries FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_checklist_entries_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON checklist_templates FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_checklist_templates_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON clients FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_clients_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON customer_erasures FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_customer_erasures_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON databoxes FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_databoxes_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON drivers FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_drivers_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON incidents FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_incidents_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON inspections FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_inspections_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON invoice_lines FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_invoice_lines_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON invoices FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_invoices_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON logbook_entries FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_logbook_entries_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON maintenance_reports FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND new.source = 'manual'::text) EXECUTE FUNCTION audit_maintenance_reports_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON maintenance_schedules FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_maintenance_schedules_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON provider_profiles FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_provider_profiles_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON providers FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_providers_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON realm_keys FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_realm_keys_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON saved_views FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_saved_views_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON second_factors FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_second_factors_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON token_revocations FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_token_revocations_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON users FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_users_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON vehicles FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_vehicles_insert();

CREATE TRIGGER audit_insert AFTER INSERT ON webhooks FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_webhooks_insert();

CREATE TRIGGER audit_update AFTER UPDATE ON blobs FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_blobs_update();

CREATE TRIGGER audit_update AFTER UPDATE ON charging_sessions FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND new.source = 'recorded'::text) EXECUTE FUNCTION audit_charging_sessions_update();

CREATE TRIGGER audit_update AFTER UPDATE ON checklist_entries FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_checklist_entries_update();

CREATE TRIGGER audit_update AFTER UPDATE ON checklist_templates FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_checklist_templates_update();

CREATE TRIGGER audit_update AFTER UPDATE ON clients FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_clients_update();

CREATE TRIGGER audit_update AFTER UPDATE ON customer_erasures FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_customer_erasures_update();

CREATE TRIGGER audit_update AFTER UPDATE ON databoxes FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_databoxes_update();

CREATE TRIGGER audit_update AFTER UPDATE ON drivers FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_drivers_update();

CREATE TRIGGER audit_update AFTER UPDATE ON incidents FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_incidents_update();

CREATE TRIGGER audit_update AFTER UPDATE ON inspections FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_inspections_update();

CREATE TRIGGER audit_update AFTER UPDATE ON invoice_lines FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_invoice_lines_update();

CREATE TRIGGER audit_update AFTER UPDATE ON invoices FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_invoices_update();

CREATE TRIGGER audit_update AFTER UPDATE ON logbook_entries FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_logbook_entries_update();

CREATE TRIGGER audit_update AFTER UPDATE ON maintenance_reports FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_maintenance_reports_update();

CREATE TRIGGER audit_update AFTER UPDATE ON maintenance_schedules FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_maintenance_schedules_update();

CREATE TRIGGER audit_update AFTER UPDATE ON provider_profiles FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_provider_profiles_update();

CREATE TRIGGER audit_update AFTER UPDATE ON providers FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_providers_update();

CREATE TRIGGER audit_update AFTER UPDATE ON realm_keys FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_realm_keys_update();

CREATE TRIGGER audit_update AFTER UPDATE ON saved_views FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_saved_views_update();

CREATE TRIGGER audit_update AFTER UPDATE ON second_factors FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_second_factors_update();

CREATE TRIGGER audit_update AFTER UPDATE ON token_revocations FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_token_revocations_update();

CREATE TRIGGER audit_update AFTER UPDATE ON users FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_users_update();

CREATE TRIGGER audit_update AFTER UPDATE ON vehicles FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_vehicles_update();

CREATE TRIGGER audit_update AFTER UPDATE ON webhooks FOR EACH ROW WHEN (current_setting('motorpool.actor'::text, true) <> ''::text AND true) EXECUTE FUNCTION audit_webhooks_update();

CREATE TRIGGER begin_event BEFORE INSERT OR DELETE OR UPDATE ON invoice_lines FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION begin_event('invoice', 'provider', 'invoice_id');

CREATE TRIGGER begin_event BEFORE INSERT OR DELETE OR UPDATE ON invoices FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION begin_event('invoice', 'provider', 'id');

CREATE TRIGGER begin_event BEFORE INSERT OR UPDATE ON provider_profiles FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION begin_event('profile', 'provider', 'provider');

CREATE TRIGGER begin_event BEFORE UPDATE ON providers FOR EACH ROW WHEN (old.name <> new.name) EXECUTE FUNCTION begin_event('profile', 'id', 'id');

CREATE CONSTRAINT TRIGGER change_fleet_version AFTER INSERT OR DELETE OR UPDATE ON vehicles DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_fleet_version();

CREATE TRIGGER clear_links BEFORE UPDATE ON invoice_lines FOR EACH ROW WHEN (old.vehicle_id IS NOT NULL AND new.vehicle_id IS NULL) EXECUTE FUNCTION clear_invoice_line_links();

CREATE CONSTRAINT TRIGGER end_event AFTER INSERT OR DELETE OR UPDATE ON invoice_lines DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION end_event('invoice', 'provider', 'invoice_id');

CREATE CONSTRAINT TRIGGER end_event AFTER INSERT OR DELETE OR UPDATE ON invoices DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION end_event('invoice', 'provider', 'id');

CREATE CONSTRAINT TRIGGER end_event AFTER INSERT OR UPDATE ON provider_profiles DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION end_event('profile', 'provider', 'provider');

CREATE CONSTRAINT TRIGGER end_event AFTER UPDATE ON providers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.name <> new.name) EXECUTE FUNCTION end_event('profile', 'id', 'id');

CREATE CONSTRAINT TRIGGER event AFTER INSERT OR DELETE OR UPDATE ON blobs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION event_blobs();

CREATE CONSTRAINT TRIGGER event AFTER INSERT OR DELETE OR UPDATE ON charging_sessions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION event_charging_sessions();

CREATE CONSTRAINT TRIGGER event AFTER INSERT OR DELETE OR UPDATE ON checklist_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION event_checklist_entries();

CREATE CONSTRAINT TRIGGER event AFTER INSERT OR DELETE OR UPDATE ON checklist_templates DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION event_checklist_templates();

CREATE CONSTRAINT TRIGGER event AFTER INSERT OR DELETE OR UPDATE ON customer_erasures DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION event_customer_erasures();

CREATE CONSTRAINT TRIGGER event AFTER INSERT OR DELETE OR UPDATE ON databoxes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION event_databoxes();

CREATE CONSTRAINT TRIGGER event AFTER INSERT OR DELETE OR UPDATE ON drivers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION event_drivers();

CREATE CONSTRAINT TRIGGER event AFTER INSERT OR DELETE OR UPDATE ON incidents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION event_incidents();

CREATE CONSTRAINT TRIGGER event AFTER INSERT OR DELETE OR UPDATE ON inspections DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION event_inspections();

CREATE CONSTRAINT TRIGGER event AFTER INSERT OR DELETE OR UPDATE ON logbook_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION event_logbook_entries();

CREATE CONSTRAINT TRIGGER event AFTER INSERT OR DELETE OR UPDATE ON maintenance_reports DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION event_maintenance_reports();

CREATE CONSTRAINT TRIGGER event AFTER INSERT OR DELETE OR UPDATE ON maintenance_schedules DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION event_maintenance_schedules();

CREATE CONSTRAINT TRIGGER event AFTER INSERT OR DELETE OR UPDATE ON saved_views DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION event_saved_views();

CREATE CONSTRAINT TRIGGER event AFTER INSERT OR DELETE OR UPDATE ON vehicles DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_setting('motorpool.events'::text, true) IS DISTINCT FROM 'off'::text) EXECUTE FUNCTION event_vehicles();

CREATE TRIGGER keep_item BEFORE INSERT OR UPDATE OF id, from_time, from_level, to_time, lat, lng, to_level, charged_kwh ON charging_sessions FOR EACH ROW WHEN (new.to_time IS NOT NULL OR new.item IS NOT NULL) EXECUTE FUNCTION keep_charging_item();
