import type { DamagePosition, IncidentDamage } from '@motorpool/client';

type Severity = IncidentDamage['severity'];

/** What the atlas shows of a damage. */
export type AtlasDamage = Pick<IncidentDamage, 'position' | 'severity' | 'repaired'> & {
  label: string;
};

/** From the least to the worst. */
export const severities: readonly Severity[] = ['light', 'moderate', 'high'];

/** How an area with damages is drawn: as its worst open one, or hollow when all are repaired. */
export type AreaState = { severity: Severity; hollow: boolean; damages: readonly AtlasDamage[] };

export function areaStates(damages: readonly AtlasDamage[]): Map<DamagePosition, AreaState> {
  const byPosition = Map.groupBy(damages, (damage) => damage.position);
  return new Map(
    [...byPosition].map(([position, those]) => {
      const open = those.filter((damage) => !damage.repaired);
      return [
        position,
        {
          severity: worst(open.length > 0 ? open : those),
          hollow: open.length === 0,
          damages: those,
        },
      ];
    }),
  );
}

function worst(damages: readonly AtlasDamage[]): Severity {
  return (
    severities[Math.max(...damages.map((damage) => severities.indexOf(damage.severity)))] ?? 'light'
  );
}
