import Type, { type Static } from 'typebox';
import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { etagHeader, exampleIncident, IncidentSchema, incidentParameters } from './incident.ts';
import { incidentKey, readIncident } from './incident-store.ts';

const { damageType, position } = IncidentSchema.properties.damages.items.properties;

const maxDuplicates = 1_000;

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
        maxItems: maxDuplicates,
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
  role: 'viewer',
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
      const duplicates = await tx.query<Static<typeof PossibleDuplicateSchema>>(
        selectSameDamages,
        key,
      );
      return {
        status: 200,
        headers: { etag: etagOf(version) },
        body: { ...incident, ...(duplicates.length > 0 && { possibleDuplicateOf: duplicates }) },
      };
    }, 'read only');
  },
});

const selectSameDamages = `
  with damages as materialized (
    select i.id, i.report_timestamp, i.is_resolved, damage.*
    from incidents i,
      rows from (
        json_to_recordset(i.damages) as ("damageType" text, repaired boolean, position text)
      ) with ordinality as damage (type, repaired, position, ordinal)
    where i.provider = $1 and i.vehicle_id = $2
  )
  select other.id as "incidentId", other.position, min(other.type) as "damageType"
  from damages other
  where other.id <> $3 and not other.is_resolved and not other.repaired
    and exists (
      select from damages own
      where own.id = $3 and own.position = other.position and lower(own.type) = lower(other.type)
    )
  group by other.id, other.report_timestamp, other.position, lower(other.type)
  order by other.report_timestamp, other.id, min(other.ordinal)
  limit ${maxDuplicates}`;
