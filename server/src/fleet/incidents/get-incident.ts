import Type, { type Static } from 'typebox';
import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { etagHeader, exampleIncident, IncidentSchema, incidentParameters } from './incident.ts';
import { incidentKey, readIncident } from './incident-store.ts';

const { damageType, position } = IncidentSchema.properties.damages.items.properties;

const maxDuplicates = 1_000;

/** The oldest open incidents whose damages are compared: what that costs, and the answer, is so bounded. */
const compared = { incidents: 1_000, damages: 2_000, bytes: 1_048_576 };

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
          'Oldest report first; absent when there is none. Compared are the oldest ' +
          `${compared.incidents} open incidents, of whose damages ${compared.damages} and ${compared.bytes / 1_048_576} MiB at most.`,
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

const damagesOf = (incident: string) => `rows from (
    json_to_recordset(${incident}.damages) as ("damageType" text, repaired boolean, position text)
  ) with ordinality as damage (type, repaired, position, ordinal)`;

// Sizes as stored are known without reading what is large, and none is above that of the text, but for a header of 4 bytes.
const selectSameDamages = `
  with own as materialized (
    select distinct damage.position, normalized_text(damage.type) as type from incidents i, ${damagesOf('i')}
    where i.provider = $1 and i.vehicle_id = $2 and i.id = $3
  ), stored as materialized (
    select i.id, i.report_timestamp, i.damages,
      sum(pg_column_size(i.damages) - 4) over (order by i.report_timestamp, i.id) as bytes
    from incidents i
    where i.provider = $1 and i.vehicle_id = $2 and i.id <> $3 and not i.is_resolved and i.damages is not null
    order by i.report_timestamp, i.id limit ${compared.incidents}
  ), others as materialized (
    select s.id, s.report_timestamp, s.damages,
      sum(octet_length(s.damages::text)) over by_age as bytes,
      sum(json_array_length(s.damages)) over by_age as damage_count
    from stored s where s.bytes <= ${compared.bytes}
    window by_age as (order by s.report_timestamp, s.id)
  ), unrepaired as materialized (
    select o.id, o.report_timestamp, damage.*, normalized_text(damage.type) as normalized
    from others o, ${damagesOf('o')}
    where o.bytes <= ${compared.bytes} and o.damage_count <= ${compared.damages} and not damage.repaired
  )
  select u.id as "incidentId", u.position, min(u.type) as "damageType"
  from unrepaired u join own on (own.position, own.type) = (u.position, u.normalized)
  group by u.id, u.report_timestamp, u.position, u.normalized
  order by u.report_timestamp, u.id, min(u.ordinal)
  limit ${maxDuplicates}`;
