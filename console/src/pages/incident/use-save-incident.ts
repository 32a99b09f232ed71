import { eTagOf, type Incident, type Motorpool } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyProblem } from '../../feedback/notify.ts';
import { queryKey } from '../../fleet/queries.ts';
import { type Change, SaveConflict, saveChange } from '../../forms/save-change.ts';
import { useFleet } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { type Draft, differentDraftFields, draftOf } from './incident-draft.ts';

type Key = { vehicleId: string; incidentId: string };
type IncidentChange = Change<Incident, Draft>;
/** Told which version there is once a change is saved or decided, and nothing when it has failed. */
export type OnDecided = (version: 'mine' | 'other') => void;
export type IncidentSaveConflict = SaveConflict<Incident, Draft>;

function save(fleet: Motorpool, { vehicleId, incidentId }: Key, change: IncidentChange) {
  return saveChange(change, {
    write: (version) => {
      const ifMatch = eTagOf(version);
      return fleet.incidents.update(vehicleId, incidentId, change.draft, {
        ...(ifMatch !== undefined && { ifMatch }),
      });
    },
    read: () => fleet.incidents.get(vehicleId, incidentId),
    // The reading of documents makes versions, too.
    isSame: (base, theirs) => differentDraftFields(draftOf(base), draftOf(theirs)).length === 0,
  });
}

/** Overwrites an incident as long as nobody else has; `conflict` is both versions when somebody did. */
export function useSaveIncident(key: Key, onSaved?: (saved: Incident, base: Incident) => void) {
  const texts = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const { vehicleId, incidentId } = key;
  const mutationKey = queryKey('incident', 'save', vehicleId, incidentId);
  const { mutate, reset, error, isPending, variables } = useMutation({
    mutationKey,
    mutationFn: ({ change }: { change: IncidentChange; onDecided?: OnDecided | undefined }) =>
      save(fleet, key, change),
    onSuccess: (incident, { change: { base }, onDecided }) => {
      queries.setQueryData(queryKey('incident', 'one', vehicleId, incidentId), incident);
      onSaved?.(incident, base);
      onDecided?.('mine');
      // Not waited for: who goes on meanwhile is not kept from it.
      void queries.invalidateQueries({ queryKey: queryKey('incident') });
    },
    onError: (failure) => {
      if (!(failure instanceof SaveConflict)) notifyProblem(failure, texts);
    },
  });
  const conflict: IncidentSaveConflict | undefined =
    error instanceof SaveConflict ? error : undefined;
  return {
    save: (base: Incident, draft: Draft, onDecided?: OnDecided) => {
      // Twice in a moment, before the page shows that it is being saved: the second would be of an old version.
      if (queries.isMutating({ mutationKey }) === 0) mutate({ change: { base, draft }, onDecided });
    },
    isPending,
    /** What is being saved, to be shown as if it were. */
    pending: isPending ? variables?.change.draft : undefined,
    conflict,
    forgetConflict: reset,
    saveChoice: (draft: Draft) =>
      conflict &&
      mutate({
        change: { base: conflict.theirs, draft },
        onDecided: () => variables?.onDecided?.('other'),
      }),
    takeTheirs: () => {
      variables?.onDecided?.('other');
      reset();
    },
  };
}
