import { type ComponentProps, useEffect, useRef, useState } from 'react';

type Props = Omit<ComponentProps<'form'>, 'onSubmit' | 'noValidate' | 'ref'> & {
  onSubmit(): void;
  /** Why the last try was refused, which may be shown at fields. */
  refusal?: unknown;
};

/** Every form: a try to send it that shows errors leads to the first of them. */
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
        onSubmit();
      }}
    />
  );
}

function focusFirstInvalid(form: HTMLFormElement | null): void {
  const fields = [...(form?.elements ?? [])];
  const first = fields.find((field) => field.getAttribute('aria-invalid') === 'true');
  if (!(first instanceof HTMLElement)) return;
  first.focus({ preventScroll: true });
  // In the middle, with its label and its error.
  first.scrollIntoView({ block: 'center' });
}
