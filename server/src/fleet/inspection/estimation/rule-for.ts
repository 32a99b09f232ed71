import type { VehicleClass } from '../../vehicle-use.ts';
import type { Facts } from './facts.ts';
import type { Rule } from './rule.ts';
import { rules } from './rules.ts';

/** Regions with rules of their own. */
export const regions = [
  ...new Set(rules.map(({ country }) => country).filter((code) => code.includes('-'))),
];

/**
 * The rule in force for a vehicle on a day. Without one for its usage it falls back to that of private use, which
 * the estimate reports as a caveat.
 */
export function ruleFor(
  facts: Pick<Facts, 'country' | 'usage' | 'fuel'>,
  vehicleClass: VehicleClass,
  day: string,
  table: readonly Rule[] = rules,
): Rule | undefined {
  const inForce = table
    .filter(({ validFrom, classes }) => validFrom <= day && classes.includes(vehicleClass))
    .toSorted((a, b) => (a.validFrom < b.validFrom ? 1 : -1));
  for (const usage of [facts.usage, 'private'] as const) {
    for (const country of countriesOf(facts.country)) {
      const found = inForce.find(
        (rule) =>
          rule.country === country &&
          rule.usages.includes(usage) &&
          (rule.fuels?.includes(facts.fuel ?? 'unknown') ?? true),
      );
      if (found) return found;
    }
  }
  return undefined;
}

/** By precedence: the region, the country. */
function countriesOf(code: string): string[] {
  const [country = ''] = code.split('-');
  return [...new Set([code, country])];
}
