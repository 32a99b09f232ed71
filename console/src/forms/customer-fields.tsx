import { Group, TextInput } from '@mantine/core';
import type { Customer } from '@motorpool/client';
import { useState } from 'react';
import { useTexts } from '../texts/texts-provider.tsx';
import { isCustomerId } from './customer.ts';

type Props = {
  value: Customer;
  onChange(customer: Customer): void;
  error?: string | undefined;
  onBlur?: () => void;
  isFocused?: boolean;
};

/** A customer of a mobility provider: whose, and which. Codes are as they were recorded: `DE` is not `de`. */
export function CustomerFields({ value, onChange, error, onBlur, isFocused = false }: Props) {
  const { customer: texts } = useTexts().forms;
  const [isLeft, setIsLeft] = useState(false);
  const { mobilityProviderCountryCode: country, mobilityProviderCode: code, customerId } = value;
  const set = (next: Partial<Customer>) => onChange({ ...value, ...next });
  const idError = isLeft && customerId !== '' && !isCustomerId(customerId) && texts.notAnId;
  return (
    <>
      <Group gap="xs" grow align="flex-end">
        <TextInput
          label={texts.country}
          maxLength={2}
          value={country}
          onChange={({ currentTarget }) =>
            set({ mobilityProviderCountryCode: currentTarget.value })
          }
          data-autofocus={isFocused || undefined}
        />
        <TextInput
          label={texts.code}
          maxLength={3}
          value={code}
          onChange={({ currentTarget }) => set({ mobilityProviderCode: currentTarget.value })}
        />
      </Group>
      <TextInput
        label={texts.id}
        description={texts.help}
        value={customerId}
        error={idError || error}
        onBlur={() => {
          setIsLeft(true);
          onBlur?.();
        }}
        onChange={({ currentTarget }) => set({ customerId: currentTarget.value.trim() })}
      />
    </>
  );
}
