import { Group, TextInput } from '@mantine/core';
import { digitsOf, majorOf, minorOf } from '../formats/currency.ts';
import { useTexts } from '../texts/texts-provider.tsx';
import { NumberInput } from './number-input.tsx';

export type Money = { amount: number | ''; currency: string };

type Props = { label: string; help?: string; value: Money; onChange(value: Money): void };

/** An amount in the major unit, as people write it, and its currency. */
export function MoneyInput({ label, help, value, onChange }: Props) {
  const { forms } = useTexts();
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <NumberInput
        label={label}
        description={help}
        flex={1}
        value={value.amount}
        onChange={(amount) => onChange({ ...value, amount })}
        decimals={digitsOf(value.currency)}
        isFixed
      />
      <TextInput
        label={forms.currency}
        w={88}
        maxLength={3}
        value={value.currency}
        onChange={({ currentTarget }) =>
          onChange({ ...value, currency: currentTarget.value.toUpperCase() })
        }
      />
    </Group>
  );
}

/** As the interface has it: in the minor unit. Undefined without an amount. */
export function costOf({
  amount,
  currency,
}: Money): { amount: number; currency: string } | undefined {
  if (amount === '') return undefined;
  return { amount: minorOf(amount, currency), currency };
}

export function moneyOf(
  cost: { amount: number; currency: string } | undefined,
  other: string,
): Money {
  if (!cost) return { amount: '', currency: other };
  return { amount: majorOf(cost.amount, cost.currency), currency: cost.currency };
}
