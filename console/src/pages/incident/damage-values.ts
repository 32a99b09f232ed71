import type { DamagePosition, IncidentDamage } from '@motorpool/client';
import { shownKind, storedKind } from './kind-names.ts';

/** A damage as its form has it. */
export type DamageValues = {
  position: DamagePosition | undefined;
  kind: string;
  title: string;
  severity: IncidentDamage['severity'];
  repaired: boolean;
};

type Names = { kinds: Readonly<Record<string, string>>; positions: Record<DamagePosition, string> };

export const newDamage = (position?: DamagePosition): DamageValues => ({
  position,
  kind: '',
  title: '',
  severity: 'light',
  repaired: false,
});

export function damageValuesOf(damage: IncidentDamage, { kinds }: Names): DamageValues {
  const { position, damageType, title, severity, repaired } = damage;
  return { position, kind: shownKind(damageType, kinds), title, severity, repaired };
}

/** The title of one that was given none: what, and where. */
export const usualTitle = ({ kind, position }: DamageValues, { positions }: Names): string =>
  [kind.trim(), position && positions[position]].filter(Boolean).join(', ');

export function damageOf(values: DamageValues, names: Names): IncidentDamage | undefined {
  const { position, kind, title, severity, repaired } = values;
  if (position === undefined || kind.trim() === '') return undefined;
  return {
    title: title.trim() || usualTitle(values, names),
    damageType: storedKind(kind, names.kinds),
    severity,
    repaired,
    position,
  };
}
