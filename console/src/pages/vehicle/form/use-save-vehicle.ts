import { eTagOf, type Motorpool, type Vehicle } from '@motorpool/client';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { queryKey } from '../../../fleet/queries.ts';
import { type Change, SaveConflict, saveChange } from '../../../forms/save-change.ts';
import { differentFields } from '../../../forms/versions.ts';
import { useFleet } from '../../../session/connection.tsx';
import { type Draft, draftFields, draftOf, requestOf } from './vehicle-draft.ts';

type VehicleChange = Change<Vehicle, Draft>;
export type VehicleSaveConflict = SaveConflict<Vehicle, Draft>;

function save(fleet: Motorpool, change: VehicleChange): Promise<Vehicle> {
  const { id } = change.base.asset;
  return saveChange(change, {
    write: (version) =>
      fleet.vehicles.put(id, requestOf(change.draft, version), { ifMatch: eTagOf(version) }),
    read: () => fleet.vehicles.get(id),
    // A picture makes a version, too.
    isSame: (base, theirs) =>
      differentFields(draftFields, draftOf(base), draftOf(theirs)).length === 0,
  });
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
    mutationFn: (change: VehicleChange) => save(fleet, change),
    onSuccess: (vehicle) => {
      void showSaved(queries, vehicle);
      onSaved(vehicle);
    },
  });
  const conflict: VehicleSaveConflict | undefined =
    error instanceof SaveConflict ? error : undefined;
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
