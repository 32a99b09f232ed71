import type { FileOwner } from '../module.ts';

export const logbookFiles: FileOwner = {
  segment: 'logbook',
  name: 'Logbook',
  noun: 'logbook entry',
  phrase: 'a logbook entry',
  parameter: 'logbookEntryId',
  table: 'logbook_entries',
  published: { remove: 'Logbook' },
};
