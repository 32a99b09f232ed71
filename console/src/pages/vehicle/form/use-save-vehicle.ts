import { eTagOf, type Motorpool, ProblemError, type Vehicle } from '@motorpool/client';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { queryKey } from '../../../fleet/queries.ts';
import { differentFields } from '../../../forms/versions.ts';
import { useFleet } from '../../../session/connection.tsx';
import { type Draft, draftFields, draftOf, requestOf } from './vehicle-draft.ts';

/** What somebody began with, and what they made of it. */
type Change = { base: Vehicle; draft: Draft };

/** Somebody else has saved first. */
export class SaveConflict extends Error {
  readonly base: Vehicle;
  readonly mine: Draft;
  readonly theirs: Vehicle;

  constructor({ base, draft }: Change, theirs: Vehicle) {
    super('The vehicle has changed');
    this.base = base;
    this.mine = draft;
    this.theirs = theirs;
  }
}

async function save(fleet: Motorpool, { base, draft }: Change): Promise<Vehicle> {
  const { id } = base.asset;
  const write = (version: Vehicle) =>
    fleet.vehicles.put(id, requestOf(draft, version), { ifMatch: eTagOf(version) });
  try {
    return await write(base);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 412) throw error;
    const theirs = await fleet.vehicles.get(id);
    // A picture makes a version, too, which nobody has to be asked about.
    if (differentFields(draftFields, draftOf(base), draftOf(theirs)).length === 0)
      return write(theirs);
    throw new SaveConflict({ base, draft }, theirs);
  }
}

async function showSaved(queries: QueryClient, vehicle: Vehicle): Promise<void> {
  queries.setQueryData(queryKey('vehicle', 'one', vehicle.asset.id), vehicle);
  await queries.invalidateQueries({ queryKey: queryKey('vehicle') });
}

/** Overwrites a vehicle as long as nobody else has; `conflict` is both versions when somebody did. */
export function useSaveVehicle(onSaved: (vehicle: Vehicle) => void) {
  const fleet = useFleet();
  const queries = useQueryClient();
  const { mutate, reset, error, isPending } = useMutation({
    mutationFn: (change: Change) => save(fleet, change),
    onSuccess: (vehicle) => {
      void showSaved(queries, vehicle);
      onSaved(vehicle);
    },
  });
  const conflict = error instanceof SaveConflict ? error : undefined;
  return {
    save: (base: Vehicle, draft: Draft) => mutate({ base, draft }),
    isPending,
    error: conflict ? null : error,
    conflict,
    forgetConflict: reset,
  };
}

/** Creates a vehicle, and never overwrites one. */
export function useAddVehicle(onSaved: (vehicle: Vehicle) => void) {
  const fleet = useFleet();
  const queries = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ id, draft }: { id: string; draft: Draft }) =>
      fleet.vehicles.put(id, requestOf(draft), { ifNoneMatch: '*' }),
    onSuccess: (vehicle) => {
      void showSaved(queries, vehicle);
      onSaved(vehicle);
    },
  });
  return { add: (id: string, draft: Draft) => mutate({ id, draft }), isPending, error };
}
