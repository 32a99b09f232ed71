import { ProblemError } from '@motorpool/client';
import { useState } from 'react';

type Errors<Values> = Partial<Record<keyof Values, string | undefined>>;

/** Values of a form; an error is shown once its field was left, and is renewed as one types. */
export function useForm<Values extends object>(
  initial: Values,
  check: (values: Values) => Errors<Values>,
) {
  const [values, setValues] = useState(initial);
  const [left, setLeft] = useState<ReadonlySet<keyof Values>>(new Set());
  const errors = check(values);
  const set = (next: Partial<Values>) => setValues((current) => ({ ...current, ...next }));
  return {
    values,
    set,
    reset: () => {
      setValues(initial);
      setLeft(new Set());
    },
    isDirty: JSON.stringify(values) !== JSON.stringify(initial),
    errorOf: (name: keyof Values) => (left.has(name) ? errors[name] : undefined),
    /** Of a field of text. */
    text: <Name extends keyof Values>(name: Name) => ({
      value: values[name] as string,
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
        set({ [name]: currentTarget.value } as unknown as Partial<Values>),
      onBlur: () => setLeft((current) => new Set([...current, name])),
      error: left.has(name) ? errors[name] : undefined,
    }),
    /** Of a field that tells its value. */
    field: <Name extends keyof Values>(name: Name) => ({
      value: values[name],
      onChange: (value: Values[Name]) => set({ [name]: value } as unknown as Partial<Values>),
      onBlur: () => setLeft((current) => new Set([...current, name])),
      error: left.has(name) ? errors[name] : undefined,
    }),
    /** Shows every error, and says whether there is none. */
    isValid: () => {
      setLeft(new Set(Object.keys(values) as (keyof Values)[]));
      return Object.values(errors).every((error) => error === undefined);
    },
  };
}

/** What the service says about a value, by its JSON pointer. */
export function refusalOf(error: unknown, pointer: string): string | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  return error.errors.find((one) => one.pointer.startsWith(pointer))?.detail;
}
