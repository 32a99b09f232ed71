import { Group, TextInput } from '@mantine/core';
import type { Customer } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyDone } from '../../feedback/notify.ts';
import { queryKey } from '../../fleet/queries.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Adds a customer of a mobility provider to the drivers. */
export function DriverDialog({ vehicleId, onClose }: { vehicleId: string; onClose(): void }) {
  const { drivers: texts } = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const [entered, setEntered] = useState<Customer>({
    mobilityProviderCountryCode: '',
    mobilityProviderCode: '',
    customerId: '',
  });
  const [isLeft, setIsLeft] = useState(false);
  const set = (next: Partial<Customer>) => setEntered({ ...entered, ...next });
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => fleet.drivers.add(vehicleId, entered),
    onSuccess: () => {
      notifyDone(texts.added);
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey('driver') }),
  });
  const { mobilityProviderCountryCode: country, mobilityProviderCode: code, customerId } = entered;
  const isId = uuid.test(customerId);
  return (
    <FormDialog
      title={texts.add}
      submit={texts.add}
      isDirty={country + code + customerId !== ''}
      isPending={isPending}
      isDisabled={!isId || country.length !== 2 || code.length !== 3}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <Group gap="xs" grow align="flex-end">
        <TextInput
          label={texts.country}
          maxLength={2}
          value={country}
          onChange={({ currentTarget }) =>
            set({ mobilityProviderCountryCode: currentTarget.value.toUpperCase() })
          }
          data-autofocus
        />
        <TextInput
          label={texts.code}
          maxLength={3}
          value={code}
          onChange={({ currentTarget }) =>
            set({ mobilityProviderCode: currentTarget.value.toUpperCase() })
          }
        />
      </Group>
      <TextInput
        label={texts.customerId}
        description={texts.customerHelp}
        value={customerId}
        error={isLeft && !isId ? texts.notAnId : undefined}
        onBlur={() => setIsLeft(customerId !== '')}
        onChange={({ currentTarget }) => set({ customerId: currentTarget.value.trim() })}
      />
    </FormDialog>
  );
}
