import type { FileOwner } from '../module.ts';
import { exampleEntry } from './logbook-entry.ts';

export const logbookFiles: FileOwner = {
  segment: 'logbook',
  name: 'Logbook',
  noun: 'logbook entry',
  phrase: 'a logbook entry',
  parameter: 'logbookEntryId',
  exampleId: exampleEntry.id,
  table: 'logbook_entries',
  published: { remove: 'Logbook' },
};
