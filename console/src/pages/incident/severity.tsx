import type { IncidentDamage } from '@motorpool/client';
import { severities } from '../../damage-atlas/damage.ts';
import { useTexts } from '../../texts/texts-provider.tsx';
import { StateBadge } from '../../values/state-badge.tsx';

type Level = IncidentDamage['severity'];

const looks = {
  light: { tone: 'neutral', icon: 'circle-dashed' },
  moderate: { tone: 'warning', icon: 'triangle-alert' },
  high: { tone: 'danger', icon: 'octagon-alert' },
} as const;

export function Severity({ level }: { level: Level }) {
  const { severities: names } = useTexts();
  return <StateBadge {...looks[level]} text={names[level]} />;
}

export const openDamages = (damages: readonly IncidentDamage[] = []): IncidentDamage[] =>
  damages.filter(({ repaired }) => !repaired);

/** Of what is not repaired. */
export function worstOf(damages: readonly IncidentDamage[] | undefined): Level | undefined {
  const open = openDamages(damages);
  return severities.findLast((level) => open.some(({ severity }) => severity === level));
}
