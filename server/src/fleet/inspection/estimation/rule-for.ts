import type { Facts } from './facts.ts';
import type { Rule } from './rule.ts';
import { rules } from './rules.ts';

const euMembers = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/** Regions with rules of their own. */
export const regions = [
  ...new Set(rules.map(({ country }) => country).filter((code) => code.includes('-'))),
];

/**
 * The rule in force for a vehicle on a day. Without one for its usage or category it falls back to that of
 * private cars, which the estimate reports as a caveat.
 */
export function ruleFor(
  facts: Pick<Facts, 'country' | 'usage' | 'fuel' | 'category'>,
  day: string,
  table: readonly Rule[] = rules,
): Rule | undefined {
  const inForce = table
    .filter(({ validFrom }) => validFrom <= day)
    .toSorted((a, b) => (a.validFrom < b.validFrom ? 1 : -1));
  for (const usage of [facts.usage, 'private'] as const) {
    for (const category of [facts.category, 'car'] as const) {
      for (const country of countriesOf(facts.country)) {
        const found = inForce.find(
          (rule) =>
            rule.country === country &&
            rule.usages.includes(usage) &&
            rule.category === category &&
            (rule.fuels?.includes(facts.fuel ?? 'unknown') ?? true),
        );
        if (found) return found;
      }
    }
  }
  return undefined;
}

/** By precedence: the region, the country, the European Union. */
function countriesOf(code: string): string[] {
  const [country = ''] = code.split('-');
  return [...new Set([code, country, ...(euMembers.has(country) ? ['EU'] : [])])];
}
