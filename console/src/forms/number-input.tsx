import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { parseNumber } from '../formats/parse-number.ts';
import { useFormats } from '../texts/texts-provider.tsx';

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'inputMode'> & {
  value: number | '';
  onChange(value: number | ''): void;
  min?: number;
  max?: number;
  /** How many digits it has behind the separator; any number of them when left out. */
  decimals?: number;
  /** Whether all of them are written, as with money. */
  isFixed?: boolean;
  /** Whether thousands are set apart, which those of a year are not. */
  isGrouped?: boolean;
  unit?: string;
};

const mostDecimals = 10;

/** A number in the person's format, which is read with either separator of decimals. */
export function NumberInput(props: Props) {
  const {
    value,
    onChange,
    onBlur,
    min,
    max,
    decimals,
    isFixed,
    isGrouped = true,
    unit,
    ...field
  } = props;
  const { locale } = useFormats();
  // What is typed stays as it is until the field is left.
  const [typed, setTyped] = useState<string>();
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: isFixed && !Number.isInteger(value) ? (decimals ?? 0) : 0,
    maximumFractionDigits: decimals ?? mostDecimals,
    useGrouping: isGrouped,
  });
  const type = (text: string) => {
    const number = parseNumber(text, locale, { isWhole: decimals === 0 });
    const isBegun = /^\s*[-−–]?\s*[.,]?\s*$/.test(text);
    if (number === undefined && !isBegun) return;
    setTyped(text);
    onChange(number === undefined ? '' : Number(number.toFixed(decimals ?? mostDecimals)));
  };
  return (
    <TextInput
      {...field}
      {...(unit !== undefined && { rightSection: unit, rightSectionWidth: 48 })}
      inputMode={decimals === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={typed ?? (value === '' ? '' : format.format(value))}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={(event) => {
        setTyped(undefined);
        if (value !== '') {
          const within = Math.min(Math.max(value, min ?? value), max ?? value);
          if (within !== value) onChange(within);
        }
        onBlur?.(event);
      }}
    />
  );
}
