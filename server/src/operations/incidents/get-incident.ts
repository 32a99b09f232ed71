import Type, { type Static } from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { etagOf } from '../shared/etag.ts';
import { etagHeader, exampleIncident, IncidentSchema, incidentParameters } from './incident.ts';
import { incidentKey, readIncident } from './incident-store.ts';

const { damageType, position } = IncidentSchema.properties.damages.items.properties;

const PossibleDuplicateSchema = Type.Object(
  {
    incidentId: Type.String({ format: 'uuid', description: 'The other incident.' }),
    position,
    damageType: { ...damageType, description: 'The kind of damage in the words of the other.' },
  },
  { $id: 'PossibleDuplicate', additionalProperties: false },
);

const ReadIncidentSchema = Type.Object(
  {
    ...IncidentSchema.properties,
    possibleDuplicateOf: Type.Optional(
      Type.Array(PossibleDuplicateSchema, {
        description:
          'A field of Motorpool’s own. Damages of other open incidents of the vehicle that are not repaired yet and have the ' +
          'position and the damageType, without regard to case, of a damage of this one: perhaps it was reported before. ' +
          'Oldest report first; absent when there is none.',
      }),
    ),
  },
  { $id: 'ReadIncident', additionalProperties: false },
);

export const getIncident = operation({
  id: 'getIncident',
  method: 'GET',
  path: '/{vehicleId}/incidents/{incidentId}',
  tag: 'Incidents',
  origin: 'motorpool',
  summary: 'Read an incident',
  description: 'Returns one incident, and which unrepaired damages it may repeat.',
  parameters: incidentParameters,
  responses: {
    200: {
      description: 'The incident.',
      schema: ReadIncidentSchema,
      example: {
        ...exampleIncident,
        possibleDuplicateOf: [
          {
            incidentId: '0d9f4b37-1c58-4a66-b3e2-7a90c5d1f284',
            position: 'right_front_door_lower',
            damageType: 'Scratch',
          },
        ],
      },
      headers: etagHeader,
    },
  },
  notFound: ['vehicle', 'incident'],
  async handler({ provider, parameters }, { db }: Dependencies) {
    return db.transaction(async (tx) => {
      const { incident, version } = await readIncident(tx, provider, parameters);
      const key = incidentKey(provider, parameters);
      const duplicates = await tx.rows<Static<typeof PossibleDuplicateSchema>>(sameDamages, key);
      return {
        status: 200,
        headers: { etag: etagOf(version) },
        body: { ...incident, ...(duplicates.length > 0 && { possibleDuplicateOf: duplicates }) },
      };
    }, 'read only');
  },
});

const sameDamages = `
  select other.id as "incidentId", damage.position, min(damage.damage_type) as "damageType"
  from incidents other
  join incident_damages damage
    on damage.provider = other.provider and damage.vehicle_id = other.vehicle_id
    and damage.incident_id = other.id
  where other.provider = $1 and other.vehicle_id = $2 and other.id <> $3
    and not other.is_resolved and not damage.repaired
    and exists (
      select from incident_damages own
      where own.provider = $1 and own.vehicle_id = $2 and own.incident_id = $3
        and own.position = damage.position and lower(own.damage_type) = lower(damage.damage_type)
    )
  group by other.id, other.report_timestamp, damage.position, lower(damage.damage_type)
  order by other.report_timestamp, other.id, min(damage.ordinal)`;
