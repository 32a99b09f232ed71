import Type, { type Static } from 'typebox';
import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { etagHeader, exampleIncident, IncidentSchema, incidentParameters } from './incident.ts';
import { incidentKey, readIncident } from './incident-store.ts';

const { damageType, position } = IncidentSchema.properties.damages.items.properties;

const maxDuplicates = 1_000;

/** The oldest open incidents whose damages are compared: what that costs, and the answer, is so bounded. */
const compared = { incidents: 1_000, damages: 2_000, bytes: 262_144 };

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
          `${compared.incidents} open incidents, of whose damages ${compared.damages} and ${compared.bytes / 1_024} KiB at most.`,
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

/** In SQL: the next open incident after the one before, with what has been read up to it. */
function nextOf(before?: string): string {
  const [number, bytes, damageCount] = before
    ? [`${before}.number + `, `${before}.bytes + `, `${before}.damage_count + `]
    : ['', '', ''];
  return `
    select i.id, i.report_timestamp, i.damages, ${number}1 as number,
      ${bytes}octet_length(i.damages::text) as bytes, ${damageCount}json_array_length(i.damages) as damage_count
    from incidents i
    where i.provider = $1 and i.vehicle_id = $2 and i.id <> $3 and not i.is_resolved and i.damages is not null
      ${before ? `and (i.report_timestamp, i.id) > (${before}.report_timestamp, ${before}.id)` : ''}
    order by i.report_timestamp, i.id limit 1`;
}

// One by one: how large damages are is known only once they are read, as they are stored compressed.
const selectSameDamages = `
  with recursive own as materialized (
    select distinct damage.position, normalized_text(damage.type) as type from incidents i, ${damagesOf('i')}
    where i.provider = $1 and i.vehicle_id = $2 and i.id = $3
  ), others as (
    (${nextOf()})
    union all
    select next.* from others o cross join lateral (${nextOf('o')}) next
    where o.number < ${compared.incidents} and o.bytes < ${compared.bytes} and o.damage_count < ${compared.damages}
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
