import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { withBlobs } from '../files/public.ts';
import { etagHeader, exampleEntry, LogbookEntrySchema } from './logbook-entry.ts';
import { entryOf, type LogbookRow, logbookColumns } from './logbook-fields.ts';
import { entryKey, entryParameters } from './logbook-store.ts';

export const getLogbookEntry = operation({
  id: 'getLogbookEntry',
  method: 'GET',
  path: '/{vehicleId}/logbook/{logbookEntryId}',
  tag: 'Logbook',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read a logbook entry',
  description: 'Returns one entry of the vehicle, with its files.',
  parameters: entryParameters,
  responses: {
    200: {
      description: 'The entry.',
      schema: LogbookEntrySchema,
      example: exampleEntry,
      headers: etagHeader,
    },
  },
  notFound: ['vehicle', 'logbook entry'],
  async handler({ provider, parameters }, { db }: Dependencies) {
    const [row] = await db.query<LogbookRow>(selectEntry, entryKey(provider, parameters));
    if (!row) throw notFound('logbook entry');
    const [entry] = await withBlobs(db, provider, 'logbook', [entryOf(row)]);
    return { status: 200, headers: { etag: etagOf(row.version) }, body: entry };
  },
});

const selectEntry = `
  select ${logbookColumns} from logbook_entries e
  where e.provider = $1 and e.vehicle_id = $2 and e.id = $3`;
