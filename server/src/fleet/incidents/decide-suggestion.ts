import Type from 'typebox';
import type { Queryable } from '../../platform/db/database.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { textParameter, uuidParameter } from '../../platform/http/path-parameter.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { requireUuid } from '../../platform/http/require-uuid.ts';
import type { Dependencies } from '../dependencies.ts';
import { exampleBlob } from '../files/public.ts';
import {
  changedMeanwhile,
  etagHeader,
  exampleIncident,
  type Incident,
  IncidentSchema,
  ifMatchHeader,
  incidentParameters,
} from './incident.ts';
import { incidentKey, isIncident, lockIncident, readIncident } from './incident-store.ts';
import {
  type IncidentKey,
  lockSuggestions,
  type StoredSuggestion,
  writeSuggestions,
} from './recognition/document-store.ts';
import type { SuggestedField } from './recognition/suggestions.ts';

const DecideSuggestionSchema = Type.Object(
  {
    decision: Type.Enum(['take', 'leave'], {
      type: 'string',
      description: 'take writes the value into the incident, leave says that it is not wanted.',
    }),
  },
  { $id: 'DecideSuggestionRequest', additionalProperties: false },
);

export const decideSuggestion = operation({
  id: 'decideSuggestion',
  method: 'POST',
  path: '/{vehicleId}/incidents/{incidentId}/ocr/{blobUuid}/{field}',
  tag: 'Incidents',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Take or leave a suggestion of a document',
  description:
    'take fills the field of the incident, which must be empty: nothing that a person has typed is overwritten. What the ' +
    'incident has no field for (licensePlate, driver, opponent) becomes a line of its notes. Deciding the same again changes ' +
    'nothing; what was left can be taken later.',
  parameters: {
    ...incidentParameters,
    blobUuid: uuidParameter(
      'The UUID of the file, as its announcement answered it.',
      exampleBlob.uuid,
    ),
    field: textParameter(100, 'What the suggestion is for.', 'location'),
  },
  requestHeaders: ifMatchHeader,
  body: {
    schema: DecideSuggestionSchema,
    required: true,
    examples: {
      take: { summary: 'Into the incident', value: { decision: 'take' } },
      leave: { summary: 'Not wanted', value: { decision: 'leave' } },
    },
  },
  responses: {
    200: {
      description: 'The incident, with the value if it was taken.',
      schema: IncidentSchema,
      example: exampleIncident,
      headers: etagHeader,
    },
  },
  notFound: ['vehicle', 'incident', 'suggestion'],
  problems: {
    ...changedMeanwhile,
    409: 'The field has a value already, the notes would be too long, or a suggestion that was taken is to be left.',
  },
  async handler({ provider, parameters, header, body }, { db, clock }: Dependencies) {
    const { field } = parameters;
    const decision = body.decision === 'take' ? 'taken' : 'left';
    return db.transaction(async (tx) => {
      await lockIncident(tx, provider, parameters, header('if-match'));
      const key = incidentKey(provider, parameters);
      const blobUuid = requireUuid(parameters.blobUuid, 'suggestion');
      const suggestions = (await lockSuggestions(tx, key, blobUuid)) ?? [];
      const suggestion = suggestions.find((one) => one.field === field);
      if (!suggestion) throw notFound('suggestion');
      if (suggestion.decision !== decision) {
        if (suggestion.decision === 'taken') throw takenAlready();
        const { incident } = await readIncident(tx, provider, parameters);
        if (decision === 'taken') await take(tx, key, incident, suggestion, clock.now());
        const decided = suggestions.map((one) => (one === suggestion ? { ...one, decision } : one));
        await writeSuggestions(tx, provider.id, blobUuid, decided as StoredSuggestion[]);
      }
      const { incident, version } = await readIncident(tx, provider, parameters);
      return { status: 200, headers: { etag: etagOf(version) }, body: incident };
    });
  },
});

const columns = {
  incidentTimestamp: 'incident_timestamp',
  location: 'location',
  cause: 'cause',
  description: 'description',
} as const;

const noteLabels = {
  licensePlate: 'Licence plate',
  driver: 'Driver',
  opponent: 'Opponent',
} as const;

const maxNotesLength = 10_000;

async function take(
  tx: Queryable,
  key: IncidentKey,
  incident: Incident,
  { field, value }: StoredSuggestion,
  now: Date,
): Promise<void> {
  const write = (column: string, text: string) =>
    tx.query(
      `update incidents set version = version + 1, updated_at = $5, ${column} = $4 where ${isIncident}`,
      [...key, text, now],
    );
  if (!isOfIncident(field)) {
    const line = `${noteLabels[field]}: ${value}`;
    const lines = incident.notes?.split('\n') ?? [];
    if (lines.includes(line)) return;
    const notes = [...lines, line].join('\n');
    if (notes.length > maxNotesLength) throw notesTooLong();
    await write('notes', notes);
    return;
  }
  const typed = incident[field];
  if (typed === value) return;
  if (typed !== undefined && typed !== '') throw filledAlready(field);
  await write(columns[field], value);
}

function isOfIncident(field: SuggestedField): field is keyof typeof columns {
  return field in columns;
}

function filledAlready(field: SuggestedField): Problem {
  return new Problem(409, 'field-has-a-value', 'The field has a value already', {
    detail: `${field} has a value, which a suggestion does not overwrite: clear or change it with updateIncident.`,
  });
}

function notesTooLong(): Problem {
  return new Problem(409, 'notes-too-long', 'The notes would be too long', {
    detail: `The notes have at most ${maxNotesLength} characters: shorten them first.`,
  });
}

function takenAlready(): Problem {
  return new Problem(409, 'taken-already', 'The suggestion was taken already', {
    detail: 'Its value is part of the incident: change that with updateIncident.',
  });
}
