import Type from 'typebox';
import type { Queryable } from '../../platform/db/database.ts';
import { operation } from '../../platform/http/operation.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import { type ParsedSearch, parseSearch } from '../../platform/search/parse-search.ts';
import { searchProperties } from '../../platform/search/request-schema.ts';
import { search } from '../../platform/search/search.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  type AuditEventRow,
  AuditEventSchema,
  auditEventOf,
  auditEvents,
  exampleEvent,
} from './audit-event.ts';

const FindAuditEventsSchema = Type.Object(searchProperties(auditEvents.fields), {
  $id: 'FindAuditEventsRequest',
  additionalProperties: false,
});

export const findAuditEvents = operation({
  id: 'findAuditEvents',
  method: 'POST',
  path: '/audit/search',
  tag: 'Administration',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Find out who changed what',
  description:
    'Returns the events of the audit trail that match all filters, sorted and in pages; without a body, the newest 100. ' +
    'Every change that a client, a person or a command makes to a record is an event, and so are sign-ins. ' +
    'What vehicles report, and what the service derives from it, is not.',
  parameters: {},
  body: {
    schema: FindAuditEventsSchema,
    required: false,
    parse: (body) => parseSearch(auditEvents, body),
    examples: {
      record: {
        summary: 'What happened to a vehicle and all that belongs to it since a day',
        value: {
          filters: [
            { field: 'vehicleId', value: 'DE*ABC*V0001' },
            { field: 'occurredAt', operator: 'gte', value: '2026-11-01T00:00:00Z' },
          ],
          pagination: { pageNumber: 0, pageSize: 25 },
        },
      },
      request: {
        summary: 'What a request changed',
        value: { filters: [{ field: 'requestId', value: exampleEvent.requestId }] },
      },
    },
  },
  responses: {
    200: pageResponse(
      'FindAuditEventsResponse',
      'A page of events.',
      AuditEventSchema,
      exampleEvent,
    ),
  },
  notFound: [],
  workload: 'search',
  async handler({ provider, body: request }, { db }: Dependencies) {
    const found = await searchAuditEvents(db, provider.id, request);
    return { status: 200, body: pageBody(found.rows, found, { itemOf: auditEventOf }) };
  },
});

export async function searchAuditEvents(db: Queryable, providerId: string, request: ParsedSearch) {
  const scope = { conditions: ['e.provider = $1'], values: [providerId] };
  return search<AuditEventRow>(db, auditEvents, scope, request);
}
