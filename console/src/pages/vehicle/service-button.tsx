import { Button } from '@mantine/core';
import type { Vehicle } from '@motorpool/client';
import { eTagOf } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyDone, notifyProblem } from '../../feedback/notify.ts';
import { queryKey } from '../../fleet/queries.ts';
import { useFleet, useMay } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { plateOf } from '../../values/vehicle-names.ts';

/** With the vehicle as it was: the screen has another one by then. */
type Change = { before: Vehicle; active: boolean };

/** Takes a vehicle out of service, or back into it: at once, and undone with a reason if the service refuses. */
export function ServiceButton({ vehicle }: { vehicle: Vehicle }) {
  const texts = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const mayEdit = useMay('editor');
  const { id, active } = vehicle.asset;
  const key = queryKey('vehicle', 'one', id);
  const { mutate, isPending } = useMutation({
    mutationFn: ({ before, active }: Change) =>
      fleet.vehicles.patchAsset(id, { active }, { ifMatch: eTagOf(before) }),
    onMutate: async ({ before, active }) => {
      await queries.cancelQueries({ queryKey: key });
      queries.setQueryData<Vehicle>(key, { ...before, asset: { ...before.asset, active } });
    },
    onSuccess: ({ asset }) => {
      const { takenOut, putBack } = texts.vehicle;
      notifyDone((asset.active ? putBack : takenOut)(plateOf(vehicle)));
    },
    onError: (error, { before }) => {
      queries.setQueryData(key, before);
      notifyProblem(error, texts);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey('vehicle') }),
  });
  if (!mayEdit) return null;
  return (
    <Button
      variant="default"
      loading={isPending}
      onClick={() => mutate({ before: vehicle, active: !active })}
    >
      {active ? texts.vehicle.takeOut : texts.vehicle.putInto}
    </Button>
  );
}
