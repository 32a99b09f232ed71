import type { ChecklistEntry } from '@motorpool/client';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Answer, OnAnswer } from './use-answer.ts';

/**
 * What somebody types into a field of an entry, undefined until they do: a field that is only passed shows
 * what is there now, and sends nothing. It is sent when the field is left, also with its page.
 */
export function useTypedAnswer<Value>(
  entry: ChecklistEntry,
  onAnswer: OnAnswer,
  answerOf: (base: ChecklistEntry, typed: Value) => Partial<Answer> | undefined,
) {
  // What somebody else answers while this is typed is met when it is sent.
  const [base, setBase] = useState(entry);
  const [typed, setTyped] = useState<Value>();
  const unsent = typed === undefined ? undefined : answerOf(base, typed);
  const send = () => {
    if (unsent) onAnswer(unsent, base);
  };
  // React tells no field that it removes that it is left.
  const sendLast = useEffectEvent(send);
  useEffect(() => () => sendLast(), []);
  // A tab that is closed sends nothing any more.
  useBlocker({
    shouldBlockFn: () => false,
    enableBeforeUnload: true,
    disabled: unsent === undefined,
  });
  return {
    typed,
    type: (next: Value) => {
      if (typed === undefined) setBase(entry);
      setTyped(next);
    },
    leave: () => {
      setTyped(undefined);
      send();
    },
  };
}
