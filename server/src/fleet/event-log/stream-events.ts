import Type, { type TSchema } from 'typebox';
import { oncePerDatabase } from '../../platform/db/once-per-database.ts';
import { readLogRange, requireKept } from '../../platform/event-log/read-log.ts';
import { sequenceEvents } from '../../platform/event-log/sequence-events.ts';
import { eventChunk } from '../../platform/http/event-stream.ts';
import { operation } from '../../platform/http/operation.ts';
import { Problem, type ValidationIssue } from '../../platform/http/problem.ts';
import type { Parsed } from '../../platform/http/request-part.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RecordEvents } from '../record-events.ts';
import { maxVehicleIdLength } from '../vehicles/public.ts';
import { typesOf } from './cloud-event.ts';
import { loggedEvents } from './event-fields.ts';
import { createEventStreams, type StreamListener } from './event-streams.ts';
import { eventRenderer } from './render-events.ts';
import { exampleStatusEvent, StatusEventSchema, statusType } from './status-events.ts';

const maxNamed = 100;
const retryMs = 2_000;
const maxBatches = 5;

const list = (maxLength: number, description: string, example: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: maxNamed * (maxLength + 1),
      description: `${description}, joined by commas; ${maxNamed} at most.`,
      examples: [example],
    }),
  );

const StreamQuerySchema = Type.Object(
  {
    types: list(50, 'The types to send', 'incident.created.v1,incident.updated.v1'),
    vehicleIds: list(maxVehicleIdLength, 'The vehicles whose events to send', 'DE*ABC*V0001'),
    cursor: Type.Optional(
      Type.String({
        maxLength: 15,
        pattern: '^(\\d{1,15}|latest)$',
        default: 'latest',
        description: 'Where to begin, as in findEvents; the header Last-Event-ID comes before it.',
        examples: ['latest'],
      }),
    ),
  },
  { additionalProperties: false },
);

type StreamQuery = {
  types: string[] | undefined;
  vehicleIds: string[] | undefined;
  cursor: string;
};

/** Streams the log of the provider, and the statuses of its vehicles. */
export function streamEvents(records: readonly RecordEvents[], EventSchema: TSchema) {
  const logged = records.flatMap(typesOf);
  const known = new Set([...logged, statusType]);
  const parts = { searchable: loggedEvents(logged), renderer: eventRenderer(records) };
  const streamsOf = oncePerDatabase((root) => createEventStreams(root, parts));

  return operation({
    id: 'streamEvents',
    method: 'GET',
    path: '/events',
    tag: 'Events',
    role: 'viewer',
    origin: 'motorpool',
    summary: 'Listen to events',
    description:
      'Sends the events of the log as they are committed, as server-sent events, each with its sequence as `id`: a client that comes back with ' +
      '`Last-Event-ID` misses nothing and gets nothing twice. Without it, the stream begins with what happens next. Every 15 seconds there is a ' +
      `comment, with the id that the log has reached. The type \`${statusType}\` has to be named: it is the status of a vehicle that has reported, ` +
      'at most one a second and vehicle, for maps; it is not in the log and has no `id`. The stream ends when the token expires or is revoked, when the service stops, ' +
      'and when the client reads too slowly: it then resumes.',
    parameters: {},
    query: {
      schema: StreamQuerySchema,
      parse({ types, vehicleIds, cursor = 'latest' }): Parsed<StreamQuery> {
        const issues: ValidationIssue[] = [];
        const named = split('types', types, issues);
        const unknown = named?.filter((type) => !known.has(type)) ?? [];
        if (unknown.length > 0)
          issues.push({
            pointer: '/types',
            detail: `${unknown.join(', ')}: known types are ${[...known].join(', ')}.`,
          });
        const vehicles = split('vehicleIds', vehicleIds, issues);
        if (issues.length > 0) return { issues };
        return { value: { types: named, vehicleIds: vehicles, cursor } };
      },
    },
    requestHeaders: {
      'Last-Event-ID': 'The id of the last event that was received: the stream goes on behind it.',
    },
    stream: true,
    responses: {
      200: {
        description:
          'Server-sent events, without an end: `id`, `event` (the type) and `data` (the event as in findEvents).',
        schema: Type.Union([EventSchema, StatusEventSchema], { $id: 'StreamedEvent' }),
        example: exampleStatusEvent,
      },
    },
    notFound: [],
    problems: {
      410: 'Events behind the cursor are no longer kept, or it is not of this log.',
    },
    async handler({ provider, caller, query, header, isAuthorized }, { db }: Dependencies) {
      const streams = streamsOf(db);
      streams.requireRoom(caller());
      const { types, vehicleIds, cursor } = query;
      const from = lastEventId(header('last-event-id')) ?? cursor;
      await sequenceEvents(db, provider.id, maxBatches);
      const range = await readLogRange(db, provider.id);
      const position = from === 'latest' ? range.newest : Number(from);
      requireKept(position, range);
      // Others may have come meanwhile.
      streams.requireRoom(caller());

      const wanted = {
        types: types && new Set(types),
        vehicles: vehicleIds && new Set(vehicleIds),
      };
      const stream = streams.open(caller(), () => streams.remove(listener));
      const listener: StreamListener = {
        stream,
        position,
        isAuthorized,
        vehicles: wanted.vehicles,
        wantsLog: types?.some((type) => type !== statusType) ?? true,
        wantsStatuses: types?.includes(statusType) ?? false,
        accepts: ({ type, vehicleId }) =>
          (wanted.types?.has(type) ?? true) && (wanted.vehicles?.has(vehicleId ?? '') ?? true),
      };
      stream.send(Buffer.from(`retry: ${retryMs}\n`));
      stream.send(eventChunk({ id: String(position) }));
      streams.add(provider, listener);
      return {
        status: 200,
        headers: {
          'content-type': 'text/event-stream',
          // Proxies would otherwise hold events back.
          'x-accel-buffering': 'no',
        },
        body: stream.readable,
      };
    },
  });
}

function split(
  name: string,
  text: string | undefined,
  issues: ValidationIssue[],
): string[] | undefined {
  const values = text?.split(',').map((value) => value.trim());
  if (values && values.length > maxNamed)
    issues.push({ pointer: `/${name}`, detail: `${name} must name at most ${maxNamed}.` });
  return values;
}

function lastEventId(sent: string | undefined): string | undefined {
  if (sent === undefined || sent === '' || /^\d{1,15}$/.test(sent)) return sent || undefined;
  throw new Problem(400, 'invalid-header', 'A header is not valid', {
    detail: 'Last-Event-ID must be the id of an event of this stream.',
  });
}
