import { Tooltip } from '@mantine/core';
import { useFormats, useTexts } from '../texts/texts-provider.tsx';
import { useNow } from './now.ts';
import classes from './values.module.css';

const staleAfterMs = 86_400_000;

/** How long ago something was, with the exact time on hover; dimmed when nobody should rely on it. */
export function Age({ at }: { at: string | undefined }) {
  const formats = useFormats();
  const { values } = useTexts();
  const now = useNow();
  if (at === undefined) return <span className={classes.stale}>{values.never}</span>;
  const isStale = now - new Date(at).getTime() > staleAfterMs;
  return (
    <Tooltip label={formats.time(at)}>
      <time dateTime={at} className={isStale ? classes.stale : undefined}>
        {formats.age(at, Math.max(now, new Date(at).getTime()))}
      </time>
    </Tooltip>
  );
}
