import type { Usage, VehicleClass } from '../../../vehicle-use.ts';
import type { Rule } from '../rule.ts';

/**
 * Start of rules whose source names none: the day from which Directive 2014/45/EU applied in all member states, then
 * including the United Kingdom.
 */
const directiveStart = '2018-05-20';

/** For laws that do not tell the letting of vehicles apart. */
export const ownUse: readonly Usage[] = ['private', 'rental'];
export const everyUse: readonly Usage[] = ['private', 'rental', 'taxi'];

/** Lorries and buses, which nearly all laws treat alike. */
export const heavy: readonly VehicleClass[] = ['N2', 'N3', 'M2', 'M3'];

/** The class of a trailer says nothing of its mass, on which its inspections depend. */
export const byMassOfTrailer = {
  classes: ['O'],
  usages: everyUse,
  confidence: 'medium',
  note: 'As for trailers above 3.5 t: lighter ones are inspected less often, or not at all, and the mass is not known.',
} as const satisfies Partial<Rule>;

type Shared = Pick<Rule, 'source' | 'reviewedOn'> & Partial<Rule>;
type Row = Pick<Rule, 'classes' | 'usages' | 'intervalMonths'> & Partial<Rule>;

/** The rows of a country or region, with what they share. */
export function countryRules(country: string, shared: Shared, rows: readonly Row[]): Rule[] {
  const defaults = { dueBy: 'day', validFrom: directiveStart, confidence: 'high' } as const;
  return rows.map((row) => ({ ...defaults, ...shared, ...row, country }));
}
