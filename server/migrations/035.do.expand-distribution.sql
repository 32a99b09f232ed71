-- What triggers execute also on the workers of a distributed database: there an insert of values has no subqueries, an update
-- no volatile functions, and a function with parameters that reads a distributed table is in PL/pgSQL.

create or replace function event_triggers() returns void language plpgsql as $generator$
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
$generator$;

select event_triggers();

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

create or replace function invoice_state(fleet text, record text) returns jsonb stable language plpgsql as $$
begin
  return (
    select to_jsonb(i) || jsonb_build_object('lines', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.position) from public.invoice_lines l
      where l.provider = fleet and l.invoice_id = record::uuid
    ), '[]'))
    from public.invoices i where i.provider = fleet and i.id = record::uuid
  );
end
$$;

create or replace function profile_state(fleet text, record text) returns jsonb stable language plpgsql as $$
begin
  return (
    select coalesce(to_jsonb(f), '{}') || jsonb_build_object('provider', p.id, 'name', p.name)
    from public.providers p left join public.provider_profiles f on f.provider = p.id where p.id = fleet
  );
end
$$;

-- Parts of a vehicle's item, of which PostgreSQL's own functions are not immutable in general, but are for these types.
create function item_text(value text) returns text immutable parallel safe strict language plpgsql as $$
begin return to_json(value)::text; end
$$;

create function item_date(value date) returns text immutable parallel safe strict language plpgsql as $$
begin return to_json(value) #>> '{}'; end
$$;

create function item_members(variadic members text[]) returns text immutable parallel safe language plpgsql as $$
begin return array_to_string(members, ','); end
$$;

-- For migrations that create a table of providers, before they add its foreign keys: on a distributed database, its rows
-- go where their provider's are. It does nothing on others.
create function distribute_table(name regclass) returns void language plpgsql as $$
begin
  if not exists (select from pg_extension where extname = 'citus') then return; end if;
  if not exists (select from pg_dist_partition where logicalrelid = 'public.providers'::regclass) then return; end if;
  perform create_distributed_table(name, 'provider', colocate_with => 'providers');
end
$$;
