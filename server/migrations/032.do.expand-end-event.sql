-- The event of a record of many rows is complete with the first row at the commit: to compute its state again for each
-- of them took the square of their number.
create or replace function public.end_event() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(coalesce(new, old));
  fleet text := changed ->> tg_argv[1];
  record text := changed ->> tg_argv[2];
  state jsonb;
  ignored text[] := '{version,created_at,updated_at}';
begin
  if not exists (
    select from public.event_outbox o
    where o.provider = fleet and o.record_id = record and o.transaction = pg_current_xact_id() and o.type = tg_argv[0]
  ) then
    return null;
  end if;
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
