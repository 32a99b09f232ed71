import { monthsBetween } from '../../../platform/time/months.ts';
import type { Usage, VehicleClass } from '../../vehicle-use.ts';
import { dueDate } from './due-date.ts';
import type { Facts, Fuel } from './facts.ts';
import type { Caveat, Confidence, Rule } from './rule.ts';
import { ruleFor } from './rule-for.ts';

/** The due date, the rule that it follows and its confidence; or the reason why there is none. */
export type Estimate = {
  estimatedDate?: string;
  confidence?: Confidence;
  /** Why there is no date, or what makes it less than certain. */
  reason?: string;
  rule?: AppliedRule;
  basis: Basis;
};

type AppliedRule = Pick<
  Rule,
  'country' | 'intervalMonths' | 'olderVehicles' | 'validFrom' | 'source' | 'reviewedOn' | 'note'
> & { vehicleClass: VehicleClass; usage: Usage; fuel?: Fuel };

type Basis = Omit<Facts, 'usageIsRecorded' | 'addedOn' | 'vehicleClass'> & {
  vehicleClass: VehicleClass;
  ageMonths?: number;
};

/** After a later registration, a due date could exceed the year 9999. */
const lastRegistration = '9980-12-31';

/** The next inspection of a vehicle, by the rules in force on a day; the earliest of its possible classes. */
export function estimate(facts: Facts, day: string): Estimate {
  const [first, ...others] = classesOf(facts);
  return others
    .map((vehicleClass) => estimateAs(vehicleClass, facts, day))
    .reduce(
      (earliest, other) => (dueOf(other) < dueOf(earliest) ? other : earliest),
      estimateAs(first, facts, day),
    );
}

function classesOf({ vehicleClass }: Facts): readonly [VehicleClass, ...VehicleClass[]] {
  if ('recorded' in vehicleClass) return [vehicleClass.recorded];
  return 'byDefault' in vehicleClass ? [vehicleClass.byDefault] : vehicleClass.possible;
}

function dueOf({ estimatedDate = '9999-12-31' }: Estimate): string {
  return estimatedDate;
}

function estimateAs(vehicleClass: VehicleClass, facts: Facts, day: string): Estimate {
  const basis = { ...basisOf(facts, day), vehicleClass };
  const rule = ruleFor(facts, vehicleClass, day);
  if (!rule) return { reason: `No rule is known for ${facts.country}.`, basis };
  const applied = appliedRule(rule, vehicleClass, facts);
  const none = (reason: string) => ({ reason, rule: applied, basis });
  if ((facts.firstRegistrationDate ?? '') > lastRegistration) {
    return none('The first registration lies too far ahead.');
  }
  if (rule.intervalMonths.length === 0) {
    return none(`Vehicles of the class ${vehicleClass} are not inspected periodically.`);
  }
  const found = dueDate(rule, facts);
  if (!found) return none('Neither the first registration nor a passed inspection is known.');
  const caveats = [
    ...caveatsOf(rule, facts),
    ...classCaveats(vehicleClass, facts),
    ...found.caveats,
  ];
  return {
    estimatedDate: found.due,
    confidence: lowestConfidence(caveats),
    ...(caveats.length > 0 && { reason: caveats.map(({ reason }) => reason).join(' ') }),
    rule: applied,
    basis,
  };
}

/** Of several possible classes, the most likely one. */
export function basisOf(facts: Facts, day: string): Basis {
  const { usageIsRecorded: _recorded, addedOn: _since, ...rest } = facts;
  const basis = { ...rest, vehicleClass: classesOf(facts)[0] };
  const { firstRegistrationDate: registered } = facts;
  if (registered === undefined || registered > day) return basis;
  return { ...basis, ageMonths: monthsBetween(registered, day) };
}

function appliedRule(rule: Rule, vehicleClass: VehicleClass, facts: Facts): AppliedRule {
  const { country, intervalMonths, olderVehicles = [], validFrom, source, reviewedOn, note } = rule;
  return {
    country,
    vehicleClass,
    usage: rule.usages.includes(facts.usage) ? facts.usage : 'private',
    ...(rule.fuels && facts.fuel && { fuel: facts.fuel }),
    intervalMonths,
    ...(olderVehicles.length > 0 && { olderVehicles }),
    validFrom,
    source,
    reviewedOn,
    ...(note !== undefined && { note }),
  };
}

/** Why the class is less than certain: nobody has recorded it. */
function classCaveats(vehicleClass: VehicleClass, { vehicleClass: fact }: Facts): Caveat[] {
  if ('recorded' in fact) return [];
  if ('byDefault' in fact) {
    const reason = `The vehicle class is not recorded: it is ${vehicleClass} by the profile of the asset provider.`;
    return [{ confidence: 'medium', reason }];
  }
  if (!fact.modelIsKnown) {
    const reason = `The vehicle class is not recorded and the model does not tell it: it was taken for ${vehicleClass}.`;
    return [{ confidence: 'low', reason }];
  }
  const earliest = fact.possible.length > 1 ? `, the earliest of ${fact.possible.join(', ')}` : '';
  const reason = `The vehicle class is not recorded: by the model it was taken for ${vehicleClass}${earliest}.`;
  return [{ confidence: 'medium', reason }];
}

/** What is uncertain about the rule, or about whether it applies. */
function caveatsOf(rule: Rule, { usage, fuel, odometer }: Facts): Caveat[] {
  const caveats: Caveat[] = [];
  const addCaveat = (confidence: Confidence, reason: string) =>
    caveats.push({ confidence, reason });
  if (rule.confidence !== 'high') addCaveat(rule.confidence, rule.note ?? '');
  if (!rule.usages.includes(usage)) {
    addCaveat('low', `No rule for ${usage} use is known: it is the one for private use.`);
  }
  if (rule.fuels && fuel === undefined) {
    addCaveat('medium', 'The rule depends on the fuel, which is not known.');
  }
  if (rule.newVehicleInterval && odometer === undefined) {
    addCaveat('medium', 'The rule depends on the odometer, which is not known.');
  }
  return caveats;
}

function lowestConfidence(caveats: readonly Caveat[]): Confidence {
  const levels = new Set(caveats.map(({ confidence }) => confidence));
  return (['low', 'medium'] as const).find((level) => levels.has(level)) ?? 'high';
}
