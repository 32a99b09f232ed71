-- A session as the history returns it, kept as text (docs/decisions/0035-charging-sessions.md). Null while the session runs,
-- and in rows that were last written before: the history makes it when it reads them.
alter table charging_sessions add column item text collate "C";

-- It has the position, which neither the audit trail nor an event may have.
update audited_tables set left_out = left_out || '{item}' where name = 'charging_sessions';
update event_sources set left_out = left_out || '{item}' where name = 'charging_sessions';

-- What is null is absent. At UTC, whatever the time zone of the session. In PL/pgSQL: a function in SQL would be inlined,
-- and every statement that reads the text would prepare the whole expression.
create function charging_item(
  id text, from_time timestamptz, from_level double precision, to_time timestamptz,
  lat double precision, lng double precision, to_level double precision, charged_kwh double precision
) returns text stable parallel safe language plpgsql as $$
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
$$;

-- With the setting a number has all its digits, whatever the writer has set.
create function keep_charging_item() returns trigger language plpgsql set extra_float_digits = 1 as $$
begin
  new.item := case when new.to_time is not null then public.charging_item(
    new.id, new.from_time, new.from_level, new.to_time, new.lat, new.lng, new.to_level, new.charged_kwh) end;
  return new;
end
$$;

-- A trigger, since the previous release writes sessions as well, and does not know the column. One that runs is written with
-- every message of its vehicle, and is one of many that are read: it is not worth the time of telemetry.
create trigger keep_item
  before insert or update of id, from_time, from_level, to_time, lat, lng, to_level, charged_kwh on charging_sessions
  for each row when (new.to_time is not null or new.item is not null) execute function keep_charging_item();
