import { eTagOf, type Incident, type Motorpool, ProblemError } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyProblem } from '../../feedback/notify.ts';
import { queryKey } from '../../fleet/queries.ts';
import { useFleet } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { type Draft, differentDraftFields, draftOf } from './incident-draft.ts';

type Key = { vehicleId: string; incidentId: string };
/** What somebody began with, and what they made of it. */
type Change = { base: Incident; draft: Draft };

/** Somebody else has saved first. */
export class SaveConflict extends Error {
  readonly base: Incident;
  readonly mine: Draft;
  readonly theirs: Incident;

  constructor({ base, draft }: Change, theirs: Incident) {
    super('The incident has changed');
    this.base = base;
    this.mine = draft;
    this.theirs = theirs;
  }
}

async function save(fleet: Motorpool, { vehicleId, incidentId }: Key, change: Change) {
  const write = (version: Incident) => {
    const ifMatch = eTagOf(version);
    return fleet.incidents.update(vehicleId, incidentId, change.draft, {
      ...(ifMatch !== undefined && { ifMatch }),
    });
  };
  try {
    return await write(change.base);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 412) throw error;
    const theirs = await fleet.incidents.get(vehicleId, incidentId);
    // The reading of documents makes versions, too, which nobody has to be asked about.
    if (differentDraftFields(draftOf(change.base), draftOf(theirs)).length === 0)
      return write(theirs);
    throw new SaveConflict(change, theirs);
  }
}

/** Overwrites an incident as long as nobody else has; `conflict` is both versions when somebody did. */
export function useSaveIncident(key: Key, onSaved?: (incident: Incident) => void) {
  const texts = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const { vehicleId, incidentId } = key;
  const { mutate, reset, error, isPending, variables } = useMutation({
    mutationFn: (change: Change) => save(fleet, key, change),
    onSuccess: async (incident) => {
      queries.setQueryData(queryKey('incident', 'one', vehicleId, incidentId), incident);
      onSaved?.(incident);
      await queries.invalidateQueries({ queryKey: queryKey('incident') });
    },
    onError: (failure) => {
      if (!(failure instanceof SaveConflict)) notifyProblem(failure, texts);
    },
  });
  return {
    save: (base: Incident, draft: Draft) => mutate({ base, draft }),
    isPending,
    /** What is being saved, to be shown as if it were. */
    pending: isPending ? variables?.draft : undefined,
    conflict: error instanceof SaveConflict ? error : undefined,
    forgetConflict: reset,
  };
}
