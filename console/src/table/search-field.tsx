import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../icons/icon.tsx';
import classes from './filter-bar.module.css';

const typingPauseMs = 200;

type Props = { hint: string; value: string; onChange(value: string): void };

/** Searches while somebody types, once they pause. */
export function SearchField({ hint, value, onChange }: Props) {
  const [typed, setTyped] = useState(value);
  // What was sent comes back, when more may have been typed.
  const sent = useRef(value);
  const changeSoon = useDebouncedCallback((text: string) => {
    sent.current = text;
    onChange(text);
  }, typingPauseMs);
  useEffect(() => {
    if (value !== sent.current) setTyped(value);
    sent.current = value;
  }, [value]);
  return (
    <TextInput
      type="search"
      className={classes.search}
      leftSection={<Icon name="search" size={16} />}
      placeholder={hint}
      aria-label={hint}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        changeSoon(currentTarget.value);
      }}
    />
  );
}
