import { useFormats } from '../texts/texts-provider.tsx';
import classes from './values.module.css';

const lowPercent = 20;

type Props = { percent: number; isCharging?: boolean | undefined; wide?: boolean };

/** A level as a number and a bar; low and charging are told by colour and by the words beside it. */
export function Level({ percent, isCharging = false, wide = false }: Props) {
  const formats = useFormats();
  const state = isCharging ? 'good' : percent <= lowPercent ? 'warning' : 'neutral';
  return (
    <span className={classes.level} data-state={state} data-wide={wide || undefined}>
      <span className={classes.levelBar} aria-hidden="true">
        <span className={classes.levelFill} style={{ width: `${percent}%` }} />
      </span>
      <span className={classes.levelText}>{formats.percent(percent)}</span>
    </span>
  );
}
