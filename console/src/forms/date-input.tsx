import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../texts/texts-provider.tsx';

type Props = Omit<TextInputProps, 'type'> & { hasTime?: boolean };

const bounds = { min: '1800-01-01', max: '9999-12-31' };
const boundsWithTime = { min: `${bounds.min}T00:00`, max: `${bounds.max}T23:59` };

/** A date, or a date and a time; what is none is told once it is left, or as the form is sent. */
export function DateInput({ hasTime = false, error, onChange, onBlur, ...field }: Props) {
  const { forms } = useTexts();
  const [isWrong, setIsWrong] = useState(false);
  const check = (input: HTMLInputElement) => setIsWrong(isWrongDate(input));
  return (
    <TextInput
      {...(hasTime ? boundsWithTime : bounds)}
      {...field}
      type={hasTime ? 'datetime-local' : 'date'}
      error={isWrong ? (hasTime ? forms.noTime : forms.noDate) : error}
      onChange={(event) => {
        if (isWrong) check(event.currentTarget);
        onChange?.(event);
      }}
      onBlur={(event) => {
        check(event.currentTarget);
        onBlur?.(event);
      }}
      onInvalid={({ currentTarget }) => check(currentTarget)}
    />
  );
}

/** A browser keeps part of a date to itself: its value is that of an empty field. A year of two digits is one of antiquity. */
export function isWrongDate({ type, validity }: HTMLInputElement): boolean {
  return type.startsWith('date') && (validity.badInput || validity.rangeUnderflow);
}
