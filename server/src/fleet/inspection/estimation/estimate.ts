import { monthsBetween } from '../../../platform/time/months.ts';
import type { Facts, Fuel, Usage } from '../facts.ts';
import { dueDate } from './due-date.ts';
import type { Confidence, Doubt, Rule } from './rule.ts';
import { ruleFor } from './rule-for.ts';

/** When a vehicle is due, by which rule, and how sure that is; or why nobody can tell. */
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

type Basis = Omit<Facts, 'usageIsRecorded' | 'knownSince'> & { ageMonths?: number };

/** Of a registration past this date, an inspection might not fit into the calendar any more. */
const lastRegistration = '9980-12-31';

/** The next inspection of a vehicle, by the rules that are in force on a day. */
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
  const doubts = [...doubtsOf(rule, facts), ...found.doubts];
  return {
    estimatedDate: found.due,
    confidence: lowest(doubts),
    ...(doubts.length > 0 && { reason: doubts.map(({ reason }) => reason).join(' ') }),
    rule: applied,
    basis,
  };
}

export function basisOf(facts: Facts, day: string): Basis {
  const { usageIsRecorded: _recorded, knownSince: _since, ...basis } = facts;
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

/** What is uncertain about the rule, or about its fitting the vehicle. */
function doubtsOf(rule: Rule, { usage, category, fuel, odometer }: Facts): Doubt[] {
  const doubts: Doubt[] = [];
  const doubt = (confidence: Confidence, reason: string) => doubts.push({ confidence, reason });
  if (rule.confidence !== 'high') doubt(rule.confidence, rule.note ?? '');
  if (!rule.usages.includes(usage)) {
    doubt('low', `No rule for ${usage} use is known: it is the one for private use.`);
  }
  if (rule.category !== category) {
    doubt('low', `No rule for a ${category} is known: it is the one for a ${rule.category}.`);
  }
  if (rule.fuels && fuel === undefined) {
    doubt('medium', 'The rule depends on the fuel, which is not known.');
  }
  if (rule.whileYoung && odometer === undefined) {
    doubt('medium', 'The rule depends on the odometer, which is not known.');
  }
  return doubts;
}

function lowest(doubts: readonly Doubt[]): Confidence {
  const levels = new Set(doubts.map(({ confidence }) => confidence));
  return (['low', 'medium'] as const).find((level) => levels.has(level)) ?? 'high';
}
