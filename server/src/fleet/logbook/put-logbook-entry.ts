import { etagOf, requireMatch } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { currencyIssues } from '../cost.ts';
import type { Dependencies } from '../dependencies.ts';
import { withBlobs } from '../files/public.ts';
import {
  changedMeanwhile,
  etagHeader,
  exampleEntry,
  exampleRequest,
  ifMatchHeader,
  LogbookEntryRequestSchema,
  LogbookEntrySchema,
} from './logbook-entry.ts';
import { entryOf, type LogbookRow, logbookColumns } from './logbook-fields.ts';
import { entryKey, entryParameters, writtenColumns, writtenValues } from './logbook-store.ts';

export const putLogbookEntry = operation({
  id: 'putLogbookEntry',
  method: 'PUT',
  path: '/{vehicleId}/logbook/{logbookEntryId}',
  tag: 'Logbook',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Overwrite a logbook entry',
  description: 'What the body leaves out is cleared; the files of the entry stay.',
  parameters: entryParameters,
  requestHeaders: ifMatchHeader,
  body: {
    schema: LogbookEntryRequestSchema,
    required: true,
    rules: currencyIssues,
    examples: { service: { summary: 'A service', value: exampleRequest } },
  },
  responses: {
    200: {
      description: 'The entry, overwritten.',
      schema: LogbookEntrySchema,
      example: exampleEntry,
      headers: etagHeader,
    },
  },
  notFound: ['vehicle', 'logbook entry'],
  problems: changedMeanwhile,
  async handler({ provider, parameters, header, body }, { db, clock }: Dependencies) {
    const key = entryKey(provider, parameters);
    return db.transaction(async (tx) => {
      const [row] = await tx.query<LogbookRow>(updateEntry, [
        ...key,
        clock.now(),
        ...writtenValues(body),
      ]);
      if (!row) throw notFound('logbook entry');
      requireMatch(header('if-match'), row.version - 1);
      const [entry] = await withBlobs(tx, provider, 'logbook', [entryOf(row)]);
      return { status: 200, headers: { etag: etagOf(row.version) }, body: entry };
    });
  },
});

const updateEntry = `
  update logbook_entries e
  set version = version + 1, updated_at = $4,
    ${writtenColumns.map(([name], index) => `${name} = $${index + 5}`).join(', ')}
  where e.provider = $1 and e.vehicle_id = $2 and e.id = $3
  returning ${logbookColumns}`;
