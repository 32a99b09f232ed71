import { hasText, hasTrigrams } from '../server/src/fleet/vehicles/search/text-search.ts';
import { vehicleItem } from '../server/src/fleet/vehicles/vehicle-item.ts';

const itemsOf = (ids: string) => `
  select string_agg(item, ',' order by ordinal) from (
    select ordinal, ${vehicleItem} as item from unnest(${ids}) with ordinality as page (id, ordinal)
    join vehicles v on v.provider = $1 and v.id = page.id
    join vehicle_statuses s on s.provider = $1 and s.vehicle_id = page.id
  ) as one`;

/**
 * The limit of the database: for each scenario the best known single statement on the tables and indexes of the
 * service, with all columns of the answer and an exact count.
 */
export const statements = {
  // One index scan for the count and the page.
  findRareText: `
    with found as materialized (
      select v.id from vehicles v where v.provider = $1
        and ${hasTrigrams(['$3', '$4', '$5'])} and ${hasText('$6::text')}
    )
    select (select count(*) from found) as total,
      (${itemsOf('array(select id from found order by id limit $2::int)')}) as items`,

  // As if writers maintained the count: it is read, and not counted.
  findCommonText: `
    select (select version from fleet_versions where provider = $1) as total, (${itemsOf(`array(
      select id from (
        select id, search_text from vehicles where provider = $1 order by id offset 0
      ) as walked
      where search_text like (select lower($3)) limit (select $2::int)
    )`)}) as items`,

  findByOdometer: `
    select (select version from fleet_versions where provider = $1) as total, (${itemsOf(`array(
      select vehicle_id from vehicle_statuses where provider = $1 and odometer_bucket is not null
      order by odometer_bucket desc, odometer desc, vehicle_id limit (select $2::int)
    )`)}) as items`,

  chargingHistory: `
    select (
      select count(*) from charging_sessions where provider = $1 and vehicle_id = $2 and not superseded
    ) as total, string_agg(item, ',') as items
    from (
      select item from charging_sessions
      where provider = $1 and vehicle_id = $2 and not superseded
      order by from_time desc, id limit $3::int
    ) page`,

  readVehicle: `
    select ${vehicleItem} as item from vehicles v
    join vehicle_statuses s on s.provider = v.provider and s.vehicle_id = v.id
    where v.provider = $1 and v.id = $2`,

  updateIncident: `
    update incidents i set version = version + 1, updated_at = now(), title = $4,
      customer_country_code = $5, customer_provider_code = $6, customer_id = $7, vehicle_operable = $8, incident_timestamp = $9,
      location = $10, incident_type = $11, cause = $12, notes = $13, description = $14, is_resolved = $15,
      damages = $16
    where provider = $1 and vehicle_id = $2 and id = $3
    returning i.*, (
      select json_agg(json_build_object('uuid', uuid, 'filename', filename, 'uploaded', object_key is not null))
      from blobs where provider = $1 and owner = 'incidents' and entry_id = $3::uuid
    ) as blobs`,

  // A status and a history row per message, both durable before the answer. The time is taken after
  // locking the statuses, so that no two batches have the same.
  telemetry: `
    with locked as materialized (
      select s.ctid as status_ctid, message.*
      from unnest($2::text[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::float8[],
        $8::boolean[], $9::boolean[], $10::boolean[], $11::boolean[])
        as message (vehicle_id, odometer, fuel_level, reach, lat, lng, is_locked, engine_active, is_charging,
          is_plugged_in)
      join vehicle_statuses s on s.provider = $1 and s.vehicle_id = message.vehicle_id
      order by s.vehicle_id for update of s
    ), moment as materialized (
      select date_trunc('milliseconds', clock_timestamp()) as time from (select count(*) from locked) one
    ), history as (
      insert into vehicle_history
        (provider, vehicle_id, time, odometer, fuel_level, lat, lng, is_charging, is_plugged_in)
      select $1, vehicle_id, time, odometer, fuel_level, lat, lng, is_charging, is_plugged_in
      from locked, moment
    )
    update vehicle_statuses s set last_updated = moment.time, history_until = moment.time,
      odometer = locked.odometer, odometer_at = moment.time,
      fuel_level = locked.fuel_level, fuel_level_at = moment.time,
      reach = locked.reach, reach_at = moment.time,
      lat = locked.lat, lng = locked.lng, location_at = moment.time,
      is_locked = locked.is_locked, is_locked_at = moment.time,
      engine_active = locked.engine_active, engine_active_at = moment.time,
      is_charging = coalesce(locked.is_charging, s.is_charging),
      is_charging_at = case when locked.is_charging is null then s.is_charging_at else moment.time end,
      is_plugged_in = coalesce(locked.is_plugged_in, s.is_plugged_in),
      is_plugged_in_at = case when locked.is_plugged_in is null then s.is_plugged_in_at else moment.time end
    from locked, moment where s.ctid = locked.status_ctid`,
};
