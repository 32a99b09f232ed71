import { Icon, type IconName } from '../icons/icon.tsx';
import classes from './values.module.css';

export type StateTone = 'danger' | 'warning' | 'good' | 'info' | 'neutral';

/** A state by colour, icon and word. */
export function StateBadge({
  tone,
  icon,
  text,
}: {
  tone: StateTone;
  icon: IconName;
  text: string;
}) {
  return (
    <span className={classes.badge} data-state={tone}>
      <Icon name={icon} size={14} />
      {text}
    </span>
  );
}
