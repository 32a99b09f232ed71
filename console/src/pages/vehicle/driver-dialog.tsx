import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyDone } from '../../feedback/notify.ts';
import { queryKey } from '../../fleet/queries.ts';
import { isIncomplete, isNoCustomer, noCustomer } from '../../forms/customer.ts';
import { CustomerFields } from '../../forms/customer-fields.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';

/** Adds a customer of a mobility provider to the drivers. */
export function DriverDialog({ vehicleId, onClose }: { vehicleId: string; onClose(): void }) {
  const { drivers: texts } = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const [entered, setEntered] = useState(noCustomer);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => fleet.drivers.add(vehicleId, entered),
    onSuccess: () => {
      notifyDone(texts.added);
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey('driver') }),
  });
  return (
    <FormDialog
      title={texts.add}
      submit={texts.add}
      isDirty={!isNoCustomer(entered)}
      isPending={isPending}
      isDisabled={isIncomplete(entered)}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <CustomerFields value={entered} onChange={setEntered} isFocused />
    </FormDialog>
  );
}
