import type { Module } from '../module.ts';
import { createLogbookEntry } from './create-logbook-entry.ts';
import { deleteLogbookEntry } from './delete-logbook-entry.ts';
import { seedLogbook } from './demo/seed-logbook.ts';
import { getLogbookEntry } from './get-logbook-entry.ts';
import { listLogbookEntries } from './list-logbook-entries.ts';
import { putLogbookEntry } from './put-logbook-entry.ts';

export const logbook: Module = {
  name: 'logbook',
  tag: { name: 'Logbook', description: 'What happened to a vehicle, and what it cost.' },
  operations: [
    listLogbookEntries,
    createLogbookEntry,
    getLogbookEntry,
    putLogbookEntry,
    deleteLogbookEntry,
  ],
  files: {
    segment: 'logbook',
    name: 'Logbook',
    noun: 'logbook entry',
    phrase: 'a logbook entry',
    parameter: 'logbookEntryId',
    table: 'logbook_entries',
    published: { remove: 'Logbook' },
  },
  customerTables: ['logbook_entries'],
  demo: seedLogbook,
};
