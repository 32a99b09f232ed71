import { type ReactNode, useEffect, useState } from 'react';
import classes from './feedback.module.css';

const delayMs = 150;

/** Shows what stands in for the content, unless the content comes at once. */
export function Delayed({ children }: { children: ReactNode }) {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), delayMs);
    return () => clearTimeout(timer);
  }, []);
  return isDue ? children : null;
}

/** A line of text that is not there yet. */
export function Bone({ width }: { width: number | string }) {
  return <span className={classes.bone} style={{ width }} />;
}
