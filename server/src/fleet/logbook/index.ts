import type { Module } from '../module.ts';
import { createLogbookEntry } from './create-logbook-entry.ts';
import { customerLogbook } from './customer-data.ts';
import { deleteLogbookEntry } from './delete-logbook-entry.ts';
import { seedLogbook } from './demo/seed-logbook.ts';
import { getLogbookEntry } from './get-logbook-entry.ts';
import { findLogbookEntries, listLogbookEntries } from './list-logbook-entries.ts';
import { logbookEvents } from './logbook-events.ts';
import { logbookFiles } from './logbook-files.ts';
import { putLogbookEntry } from './put-logbook-entry.ts';
import { recordService } from './record-service.ts';

export const logbook: Module = {
  name: 'logbook',
  tag: { name: 'Logbook', description: 'What happened to a vehicle, and what it cost.' },
  operations: [
    listLogbookEntries,
    findLogbookEntries,
    createLogbookEntry,
    getLogbookEntry,
    putLogbookEntry,
    deleteLogbookEntry,
  ],
  recordEvents: [logbookEvents],
  on: { maintenanceCompleted: recordService },
  files: logbookFiles,
  customerData: customerLogbook,
  demo: seedLogbook,
};
