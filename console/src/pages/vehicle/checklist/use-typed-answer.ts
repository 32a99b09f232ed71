import type { ChecklistEntry } from '@motorpool/client';
import { useState } from 'react';
import type { Answer, OnAnswer } from './use-answer.ts';

/**
 * What somebody types into a field of an entry, undefined until they do: a field that is only passed shows
 * what is there now, and sends nothing.
 */
export function useTypedAnswer<Value>(entry: ChecklistEntry, onAnswer: OnAnswer) {
  // What somebody else answers while this is typed is met when it is sent.
  const [base, setBase] = useState(entry);
  const [typed, setTyped] = useState<Value>();
  return {
    typed,
    type: (next: Value) => {
      if (typed === undefined) setBase(entry);
      setTyped(next);
    },
    leave: (answerOf: (base: ChecklistEntry, typed: Value) => Partial<Answer> | undefined) => {
      if (typed === undefined) return;
      setTyped(undefined);
      const next = answerOf(base, typed);
      if (next) onAnswer(next, base);
    },
  };
}
