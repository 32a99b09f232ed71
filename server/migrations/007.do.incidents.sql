-- The damages are written and read with their incident, as a whole: one row is one state of it.
alter table incidents add column damages json;

update incidents i set damages = (
  select json_agg(json_build_object(
    'title', d.title, 'damageType', d.damage_type, 'severity', d.severity,
    'repaired', d.repaired, 'position', d.position
  ) order by d.ordinal)
  from incident_damages d
  where d.provider = i.provider and d.vehicle_id = i.vehicle_id and d.incident_id = i.id
);

drop table incident_damages;
