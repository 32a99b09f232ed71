import type { ReactNode } from 'react';
import classes from './panel.module.css';

/** Scrolls sideways, with the keys of the arrows, too, where what is in it does not fit. */
export function ScrollBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no group of fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: WCAG 2.1.1 asks for it where content scrolls
    <div role="group" className={classes.scroll} aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
