import Type, { type TSchema } from 'typebox';
import { ReadBudget } from '../../platform/db/read-budget.ts';
import { readLog, readLogRange, requireKept } from '../../platform/event-log/read-log.ts';
import { sequenceEvents } from '../../platform/event-log/sequence-events.ts';
import { maxAnswerBytes } from '../../platform/http/large-json.ts';
import { operation } from '../../platform/http/operation.ts';
import { defaultPageSize, searchLimits } from '../../platform/search/limits.ts';
import { pageBody } from '../../platform/search/page.ts';
import { parseSearch } from '../../platform/search/parse-search.ts';
import { searchProperties } from '../../platform/search/request-schema.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RecordEvents } from '../record-events.ts';
import { exampleVehicleEvent, typesOf } from './cloud-event.ts';
import { loggedEvents } from './event-fields.ts';
import { eventRenderer } from './render-events.ts';

/** A search numbers what is pending, so much at most: jobs number the rest. */
const maxBatches = 5;

const CursorPageSchema = Type.Object(
  {
    cursor: Type.Optional(
      Type.String({
        maxLength: 15,
        pattern: '^(\\d{1,15}|latest)$',
        description:
          'Where to go on: the cursor of the page before, or the sequence of an event; `latest` is the end of the log. Left out, the oldest ' +
          'event that is kept is the first.',
        examples: ['4710'],
      }),
    ),
    pageSize: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: searchLimits.pageSize,
        default: defaultPageSize,
        description: 'Events a page, at most.',
      }),
    ),
  },
  { $id: 'EventPageRequest', additionalProperties: false },
);

const CursorPaginationSchema = Type.Object(
  {
    pageSize: Type.Integer({ description: 'Events a page, as asked for.' }),
    cursor: Type.String({
      maxLength: 15,
      description: 'For the next page. Keep it with what was done with the events.',
    }),
    hasMore: Type.Boolean({
      description: 'Whether there may be events behind the page, which can have fewer or none.',
    }),
  },
  { $id: 'EventPagination', additionalProperties: false },
);

/** Reads the log of the provider by pages. */
export function findEvents(records: readonly RecordEvents[], EventSchema: TSchema) {
  const searchable = loggedEvents(records.flatMap(typesOf));
  const { readRows, render } = eventRenderer(records);
  const { filters } = searchProperties(searchable.fields);
  return operation({
    id: 'findEvents',
    method: 'POST',
    path: '/events/search',
    tag: 'Events',
    role: 'viewer',
    origin: 'motorpool',
    summary: 'Read the log of events',
    description:
      'Returns the events behind a cursor that match all filters, in the order of the log, which is that of the commits: what is behind a cursor was ' +
      'committed later than what is before it, so that whoever keeps the cursor misses nothing and gets nothing twice. Without a body, the oldest 100. ' +
      'Every change of a record is an event (CloudEvents 1.0), whoever made it; what vehicles report is none.',
    parameters: {},
    body: {
      schema: Type.Object(
        { filters, pagination: Type.Optional(CursorPageSchema) },
        { $id: 'FindEventsRequest', additionalProperties: false },
      ),
      required: false,
      parse(body) {
        const { cursor, pageSize = defaultPageSize } = body.pagination ?? {};
        const parsed = parseSearch(searchable, body.filters ? { filters: body.filters } : {});
        if ('issues' in parsed) return parsed;
        return { value: { filters: parsed.value.filters, cursor, pageSize } };
      },
      examples: {
        oldest: { summary: 'The oldest events that are kept', value: {} },
        latest: {
          summary: 'The cursor of the end of the log',
          value: { pagination: { cursor: 'latest' } },
        },
        incidents: {
          summary: 'What happened to the incidents of a vehicle',
          value: {
            filters: [
              { field: 'type', operator: 'startsWith', value: 'incident.' },
              { field: 'vehicleid', value: 'DE*ABC*V0001' },
            ],
            pagination: { pageSize: 25 },
          },
        },
      },
    },
    responses: {
      200: {
        description: 'A page of events.',
        schema: Type.Object(
          {
            items: Type.Array(EventSchema, { maxItems: searchLimits.pageSize }),
            pagination: CursorPaginationSchema,
          },
          { $id: 'FindEventsResponse', additionalProperties: false },
        ),
        example: {
          items: [exampleVehicleEvent],
          pagination: { pageSize: defaultPageSize, cursor: '4711', hasMore: false },
        },
      },
    },
    notFound: [],
    problems: {
      410: 'Events behind the cursor are no longer kept, or it is not of this log.',
    },
    workload: 'search',
    needsPrimary: true,
    async handler({ provider, body: { filters, cursor, pageSize } }, { db }: Dependencies) {
      await sequenceEvents(db, provider.id, maxBatches);
      return db.transaction(async (tx) => {
        const range = await readLogRange(tx, provider.id);
        const from =
          cursor === undefined ? range.oldest : cursor === 'latest' ? range.newest : Number(cursor);
        requireKept(from, range);
        const page = await readLog(tx, provider.id, from, searchable, filters, pageSize);
        const budget = new ReadBudget(maxAnswerBytes, { firstRows: 1 });
        const events = await readRows(tx, provider, page.events, budget);
        const pagination = { pageSize, cursor: String(page.position), hasMore: page.hasMore };
        const itemOf = (event: (typeof events)[number]) => render(provider, event);
        const body = pageBody(events, { pagination, budget }, { itemOf });
        return { status: 200, body };
      }, 'read only');
    },
  });
}
