create extension if not exists pg_trgm;

-- The vehicle in the words of the interface, its status aside.
create function vehicle_item(
  provider text,
  id text,
  blob_uuid uuid,
  default_image text,
  active boolean,
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
  track_geolocation boolean
) returns text language plpgsql immutable parallel safe as $$
begin
  -- json_build_object would take three times as long.
  return '{"asset":{' || concat_ws(',',
    '"id":' || to_json(id),
    '"assetProviderCountryCode":' || to_json(split_part(provider, '-', 1)),
    '"assetProviderCode":' || to_json(split_part(provider, '-', 2)),
    '"blobUuid":"' || blob_uuid || '"',
    '"defaultImage":' || to_json(default_image),
    '"active":' || active
  ) || '},"information":{' || concat_ws(',',
    '"vin":' || to_json(vin),
    '"vendor":' || to_json(vendor),
    '"model":' || to_json(model),
    '"variant":' || to_json(variant),
    '"licensePlate":' || to_json(license_plate),
    '"seats":' || seats,
    '"firstRegistrationDate":' || to_json(first_registration_date),
    '"buildYear":' || build_year,
    '"evBatteryCapacity":' || ev_battery_capacity,
    '"iceTankCapacity":' || ice_tank_capacity,
    '"trackGeolocation":' || track_geolocation
  ) || '}}';
end
$$;

alter table vehicles
  -- What text is looked for in, a line each.
  add column search_text text generated always as (lower(
    coalesce(vin, '') || e'\n' || coalesce(license_plate, '') || e'\n' || coalesce(vendor, '') || e'\n' ||
    coalesce(model, '') || e'\n' || coalesce(variant, '')
  )) stored,
  add column item text generated always as (vehicle_item(
    provider, id, blob_uuid, default_image, active, vin, vendor, model, variant, license_plate, seats,
    first_registration_date, build_year, ev_battery_capacity, ice_tank_capacity, track_geolocation
  )) stored;
-- Without the provider: with it, a rare text took four times as long among 100,000 vehicles of one provider.
create index on vehicles using gin (search_text gin_trgm_ops);

-- Rises with the odometer, and every 20 km only: so most messages change no index. The least numbers cannot be divided.
alter table vehicle_statuses
  add column odometer_bucket double precision
    generated always as (case when abs(odometer) < 20 then 0 else floor(odometer / 20) end) stored;
create index on vehicle_statuses (provider, odometer_bucket) where odometer_bucket is not null;

-- The last transaction that changed a vehicle of the provider. What was found under one version is still
-- so as long as the version is the same.
create table fleet_versions (
  provider text collate "C" primary key references providers,
  version xid8 not null
);

create function change_fleet_version() returns trigger language plpgsql as $$
declare
  fleet text := coalesce(new.provider, old.provider);
begin
  if not exists (select from fleet_versions where provider = fleet and version = pg_current_xact_id()) then
    insert into fleet_versions (provider, version) values (fleet, pg_current_xact_id())
    on conflict (provider) do update set version = excluded.version;
  end if;
  return null;
end
$$;

-- At the end of the transaction: writers of one fleet wait for each other no longer than their commits take.
create constraint trigger change_fleet_version
  after insert or update or delete on vehicles
  deferrable initially deferred
  for each row execute function change_fleet_version();
