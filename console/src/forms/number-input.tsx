import { TextInput, type TextInputProps } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { parseNumber } from '../formats/parse-number.ts';
import { useLocalization } from '../texts/texts-provider.tsx';

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'inputMode'> & {
  value: number | '';
  onChange(value: number | ''): void;
  min?: number;
  /** Together with `min`. */
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

/**
 * A number in the person's format, which is read with either separator of decimals. Thousands are set apart only until it is
 * edited: a digit more or less would turn their separators into those of decimals. What is out of bounds is told once it is
 * left, or as the form is sent, and not changed behind somebody's back.
 */
export function NumberInput(props: Props) {
  const {
    value,
    onChange,
    onFocus,
    onBlur,
    error,
    min,
    max,
    decimals,
    isFixed,
    isGrouped = true,
    unit,
    ...field
  } = props;
  const { texts, formats } = useLocalization();
  const { locale } = formats;
  // What is typed stays as it is until the field is left.
  const [typed, setTyped] = useState<string>();
  const [isFocused, setIsFocused] = useState(false);
  const [isLeft, setIsLeft] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // Another text has lost the selection with which the keyboard has entered the field.
  useLayoutEffect(() => {
    if (isFocused) input.current?.select();
  }, [isFocused]);
  const isOutside = value !== '' && min !== undefined && !(value >= min && value <= (max ?? value));
  const outOfBounds = isOutside
    ? texts.forms.outOfBounds(
        formats.number(min),
        max === undefined ? undefined : formats.number(max),
      )
    : undefined;
  // By this the form knows of it.
  useLayoutEffect(() => input.current?.setCustomValidity(outOfBounds ?? ''), [outOfBounds]);
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: isFixed && !Number.isInteger(value) ? (decimals ?? 0) : 0,
    maximumFractionDigits: decimals ?? mostDecimals,
    useGrouping: isGrouped && !isFocused,
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
      ref={input}
      {...(unit !== undefined && { rightSection: unit, rightSectionWidth: 48 })}
      inputMode={decimals === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={typed ?? (value === '' ? '' : format.format(value))}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onFocus={(event) => {
        setIsFocused(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setTyped(undefined);
        setIsFocused(false);
        setIsLeft(true);
        onBlur?.(event);
      }}
      onInvalid={() => setIsLeft(true)}
      error={(isLeft ? outOfBounds : undefined) ?? error}
    />
  );
}
