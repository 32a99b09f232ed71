import type { IncidentDamage } from '@motorpool/client';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import classes from './incident-page.module.css';
import { openDamages } from './severity.tsx';

/** How many damages there are, and how many of them are left. */
export function DamageCount({ damages = [] }: { damages?: IncidentDamage[] | undefined }) {
  const { incidents } = useTexts();
  const formats = useFormats();
  const all = formats.number(damages.length);
  const open = openDamages(damages).length;
  if (damages.length === 0) return null;
  if (open === 0) return <span className={classes.dimmed}>{incidents.allRepaired(all)}</span>;
  return open === damages.length ? all : incidents.openDamages(formats.number(open), all);
}
