create or replace function end_event() returns trigger language plpgsql as $$
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
$$;
