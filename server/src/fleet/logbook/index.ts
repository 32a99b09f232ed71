import { createLogbookEntry } from './create-logbook-entry.ts';
import { deleteLogbookEntry } from './delete-logbook-entry.ts';
import { getLogbookEntry } from './get-logbook-entry.ts';
import { listLogbookEntries } from './list-logbook-entries.ts';
import { putLogbookEntry } from './put-logbook-entry.ts';

export const logbookOperations = [
  listLogbookEntries,
  createLogbookEntry,
  getLogbookEntry,
  putLogbookEntry,
  deleteLogbookEntry,
];
