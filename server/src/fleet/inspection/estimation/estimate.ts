import { monthsBetween } from '../../../platform/time/months.ts';
import { dueDate } from './due-date.ts';
import type { Facts, Fuel, Usage } from './facts.ts';
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

type AppliedRule = Pick<Rule, 'country' | 'intervalMonths' | 'validFrom' | 'source' | 'note'> & {
  usage: Usage;
  fuel?: Fuel;
};

type Basis = Omit<Facts, 'usageIsRecorded' | 'addedOn'> & { ageMonths?: number };

/** After a later registration, a due date could exceed the year 9999. */
const lastRegistration = '9980-12-31';

/** The next inspection of a vehicle, by the rules in force on a day. */
export function estimate(facts: Facts, day: string): Estimate {
  const basis = basisOf(facts, day);
  const rule = ruleFor(facts, day);
  if (!rule) return { reason: `No rule is known for ${facts.country}.`, basis };
  const applied = appliedRule(rule, facts);
  if ((facts.firstRegistrationDate ?? '') > lastRegistration) {
    return { reason: 'The first registration lies too far ahead.', rule: applied, basis };
  }
  const found = dueDate(rule, facts);
  if (!found) {
    const reason = 'Neither the first registration nor a passed inspection is known.';
    return { reason, rule: applied, basis };
  }
  const caveats = [...caveatsOf(rule, facts), ...found.caveats];
  return {
    estimatedDate: found.due,
    confidence: lowestConfidence(caveats),
    ...(caveats.length > 0 && { reason: caveats.map(({ reason }) => reason).join(' ') }),
    rule: applied,
    basis,
  };
}

export function basisOf(facts: Facts, day: string): Basis {
  const { usageIsRecorded: _recorded, addedOn: _since, ...basis } = facts;
  const { firstRegistrationDate: registered } = facts;
  if (registered === undefined || registered > day) return basis;
  return { ...basis, ageMonths: monthsBetween(registered, day) };
}

function appliedRule(rule: Rule, facts: Facts): AppliedRule {
  const { country, intervalMonths, validFrom, source, note } = rule;
  return {
    country,
    usage: rule.usages.includes(facts.usage) ? facts.usage : 'private',
    ...(rule.fuels && facts.fuel && { fuel: facts.fuel }),
    intervalMonths,
    validFrom,
    source,
    ...(note !== undefined && { note }),
  };
}

/** What is uncertain about the rule, or about whether it applies. */
function caveatsOf(rule: Rule, { usage, category, fuel, odometer }: Facts): Caveat[] {
  const caveats: Caveat[] = [];
  const addCaveat = (confidence: Confidence, reason: string) =>
    caveats.push({ confidence, reason });
  if (rule.confidence !== 'high') addCaveat(rule.confidence, rule.note ?? '');
  if (!rule.usages.includes(usage)) {
    addCaveat('low', `No rule for ${usage} use is known: it is the one for private use.`);
  }
  if (rule.category !== category) {
    addCaveat('low', `No rule for a ${category} is known: it is the one for a ${rule.category}.`);
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
