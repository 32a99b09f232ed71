import { useEffect, useEffectEvent, useRef } from 'react';
import { translatedKind } from './kind-names.ts';

/** A field shows the names of one language: with another, what it shows is changed to that. */
export function useTranslatedKind(
  kind: string,
  names: Readonly<Record<string, string>>,
  onChange: (kind: string) => void,
): void {
  const shownBy = useRef(names);
  const translate = useEffectEvent((to: typeof names) => {
    const translated = translatedKind(kind, shownBy.current, to);
    const isOther = shownBy.current !== to && translated !== kind;
    shownBy.current = to;
    if (isOther) onChange(translated);
  });
  useEffect(() => translate(names), [names]);
}
