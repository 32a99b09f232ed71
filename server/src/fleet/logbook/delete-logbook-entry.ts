import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { deleteBlobs, discardBytes } from '../files/public.ts';
import { entryKey, entryParameters } from './logbook-store.ts';

export const deleteLogbookEntry = operation({
  id: 'deleteLogbookEntry',
  method: 'DELETE',
  path: '/{vehicleId}/logbook/{logbookEntryId}',
  tag: 'Logbook',
  origin: 'motorpool',
  summary: 'Delete a logbook entry',
  description: 'Deletes the entry and its files. A second call answers 404.',
  parameters: entryParameters,
  responses: { 204: { description: 'The entry is deleted.' } },
  notFound: ['vehicle', 'logbook entry'],
  async handler({ provider, parameters }, dependencies: Dependencies) {
    const key = entryKey(provider, parameters);
    const bytes = await dependencies.db.transaction(async (tx) => {
      const deleted = await tx.query(
        'delete from logbook_entries where provider = $1 and vehicle_id = $2 and id = $3 returning id',
        key,
      );
      if (deleted.length === 0) throw notFound('logbook entry');
      return deleteBlobs(tx, provider, 'logbook', parameters.logbookEntryId);
    });
    await discardBytes(dependencies, provider, bytes);
    return { status: 204 };
  },
});
