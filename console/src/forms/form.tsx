import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { isWrongDate } from './date-input.tsx';

type Props = Omit<ComponentProps<'form'>, 'onSubmit' | 'noValidate' | 'ref'> & {
  onSubmit(): void;
  /** Why the last try was refused, which may be shown at fields. */
  refusal?: unknown;
};

/** Every form: a try to send it that shows errors leads to the first of them. With part of a date, or with a number that is out of bounds, it is not sent. */
export function Form({ onSubmit, refusal, ...form }: Props) {
  const ref = useRef<HTMLFormElement>(null);
  const [tries, setTries] = useState(0);
  // Errors are shown by the same rendering that counts the try, or that brings the refusal.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another refusal is another occasion
  useEffect(() => {
    if (tries > 0) focusFirstInvalid(ref.current);
  }, [tries, refusal]);
  return (
    <form
      {...form}
      ref={ref}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTries((before) => before + 1);
        if (hasNoneWrong(event.currentTarget)) onSubmit();
      }}
    />
  );
}

/** Whether each date is a whole one, or empty, and each number within its bounds; the fields of others are told to show it. */
function hasNoneWrong({ elements }: HTMLFormElement): boolean {
  const wrong = [...elements].filter(
    (field): field is HTMLInputElement =>
      field instanceof HTMLInputElement && (isWrongDate(field) || field.validity.customError),
  );
  for (const field of wrong) field.checkValidity();
  return wrong.length === 0;
}

function focusFirstInvalid(form: HTMLFormElement | null): void {
  const fields = [...(form?.elements ?? [])];
  const first = fields.find((field) => field.getAttribute('aria-invalid') === 'true');
  if (!(first instanceof HTMLElement)) return;
  first.focus({ preventScroll: true });
  // In the middle, with its label and its error.
  first.scrollIntoView({ block: 'center' });
}
