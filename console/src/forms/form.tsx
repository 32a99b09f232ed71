import { type ComponentProps, useEffect, useRef, useState } from 'react';

type Props = Omit<ComponentProps<'form'>, 'onSubmit' | 'noValidate' | 'ref'> & { onSubmit(): void };

/** Every form: a try to send it that shows errors leads to the first of them. */
export function Form({ onSubmit, ...form }: Props) {
  const ref = useRef<HTMLFormElement>(null);
  const [tries, setTries] = useState(0);
  // Errors are shown by the same rendering that counts the try.
  useEffect(() => {
    if (tries > 0) focusFirstInvalid(ref.current);
  }, [tries]);
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
