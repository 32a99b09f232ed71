import { deleteMatching } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { deleteWithBlobs } from '../files/public.ts';
import { changedMeanwhile, ifMatchHeader } from './checklist-entry.ts';
import { entryKey, entryParameters } from './checklist-store.ts';

export const deleteChecklistEntry = operation({
  id: 'deleteChecklistEntry',
  method: 'DELETE',
  path: '/{vehicleId}/checklist/{checklistEntryId}',
  tag: 'Checklist',
  role: 'editor',
  origin: 'interface',
  summary: 'Delete a checklist entry of a vehicle',
  description:
    'Deletes the entry and its files; the other entries keep their positions. A second call answers 404.',
  parameters: entryParameters,
  requestHeaders: ifMatchHeader,
  responses: { 204: { description: 'The entry is deleted.' } },
  notFound: ['vehicle', 'checklist entry'],
  problems: changedMeanwhile,
  async handler({ provider, parameters, header }, dependencies: Dependencies) {
    const key = entryKey(provider, parameters);
    await deleteWithBlobs(dependencies, provider, 'checklist', parameters.checklistEntryId, (tx) =>
      deleteMatching(tx, 'checklist entry', entryRow, key, header('if-match')),
    );
    return { status: 204 };
  },
});

const entryRow = 'checklist_entries where provider = $1 and vehicle_id = $2 and id = $3';
