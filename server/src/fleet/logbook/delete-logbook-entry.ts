import { deleteMatching } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { deleteWithBlobs } from '../files/public.ts';
import { changedMeanwhile, ifMatchHeader } from './logbook-entry.ts';
import { entryKey, entryParameters } from './logbook-store.ts';

export const deleteLogbookEntry = operation({
  id: 'deleteLogbookEntry',
  method: 'DELETE',
  path: '/{vehicleId}/logbook/{logbookEntryId}',
  tag: 'Logbook',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Delete a logbook entry',
  description: 'Deletes the entry and its files. A second call answers 404.',
  parameters: entryParameters,
  requestHeaders: ifMatchHeader,
  responses: { 204: { description: 'The entry is deleted.' } },
  notFound: ['vehicle', 'logbook entry'],
  problems: changedMeanwhile,
  async handler({ provider, parameters, header }, dependencies: Dependencies) {
    const key = entryKey(provider, parameters);
    await deleteWithBlobs(dependencies, provider, 'logbook', parameters.logbookEntryId, (tx) =>
      deleteMatching(tx, 'logbook entry', entryRow, key, header('if-match')),
    );
    return { status: 204 };
  },
});

const entryRow = 'logbook_entries where provider = $1 and vehicle_id = $2 and id = $3';
