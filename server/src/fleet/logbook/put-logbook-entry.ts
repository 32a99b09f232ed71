import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  currencyIssues,
  exampleEntry,
  exampleRequest,
  LogbookEntryRequestSchema,
  LogbookEntrySchema,
} from './logbook-entry.ts';
import { type LogbookRow, logbookColumns } from './logbook-fields.ts';
import {
  entriesOf,
  entryKey,
  entryParameters,
  writtenColumns,
  writtenValues,
} from './logbook-store.ts';

export const putLogbookEntry = operation({
  id: 'putLogbookEntry',
  method: 'PUT',
  path: '/{vehicleId}/logbook/{logbookEntryId}',
  tag: 'Logbook',
  origin: 'motorpool',
  summary: 'Overwrite a logbook entry',
  description: 'What the body leaves out is cleared; the files of the entry stay.',
  parameters: entryParameters,
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
    },
  },
  notFound: ['vehicle', 'logbook entry'],
  async handler({ provider, parameters, body }, { db }: Dependencies) {
    const key = entryKey(provider, parameters);
    return db.transaction(async (tx) => {
      const rows = await tx.query<LogbookRow>(update, [...key, ...writtenValues(body)]);
      const [entry] = await entriesOf(tx, provider, rows);
      if (!entry) throw notFound('logbook entry');
      return { status: 200, body: entry };
    });
  },
});

const update = `
  update logbook_entries e
  set ${writtenColumns.map(([name], index) => `${name} = $${index + 4}`).join(', ')}, updated_at = now()
  where e.provider = $1 and e.vehicle_id = $2 and e.id = $3
  returning ${logbookColumns}`;
