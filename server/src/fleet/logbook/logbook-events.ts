import Type from 'typebox';
import { ofVehicle, recordEvents } from '../record-events.ts';
import { exampleNewEntry, LogbookEntrySchema } from './logbook-entry.ts';
import { entryOf, type LogbookRow, logbookColumns } from './logbook-fields.ts';

const { blobs: _, ...properties } = LogbookEntrySchema.properties;

export const logbookEvents = recordEvents<LogbookRow>({
  type: 'logbook-entry',
  name: 'LogbookEntry',
  description: 'A logbook entry, without its files, which have events of their own.',
  table: 'logbook_entries',
  alias: 'e',
  columns: logbookColumns,
  resource: entryOf,
  subject: ofVehicle('logbook'),
  schema: Type.Object(properties, { additionalProperties: false }),
  example: exampleNewEntry,
});
