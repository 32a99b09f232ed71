import { addMonths, endOfMonth, nextDay, startOfMonth } from '../../../platform/time/months.ts';
import type { Facts } from '../facts.ts';
import type { DateWindow, Doubt, Rule, YoungVehicles } from './rule.ts';

type Due = { due: string; doubts: Doubt[] };

/** Inspected up to so much too early, it was still the inspection that was due. */
const toleranceMonths = 6;

/** When a vehicle is due by a rule; undefined when neither its registration nor an inspection is known. */
export function dueDate(rule: Rule, facts: Facts): Due | undefined {
  const { firstRegistrationDate: registered, lastInspectionDate: passed } = facts;
  if (registered === undefined) return passed === undefined ? undefined : sincePassed(rule, passed);
  if (passed === undefined) return sinceRegistered(rule, facts, registered);
  if (passed >= registered) return sinceBoth(rule, facts, registered, passed);
  const { due, doubts } = sinceRegistered(rule, facts, registered);
  const reason = 'The last inspection lies before the first registration, and was left aside.';
  return { due, doubts: [{ confidence: 'low', reason }, ...doubts] };
}

/** How old the vehicle is, nobody knows: the interval is that of an older one. */
function sincePassed(rule: Rule, passed: string): Due {
  const { intervalMonths, whileYoung } = rule;
  const due = dueDay(rule, addMonths(passed, intervalMonths.at(-1) ?? intervalMonths[0]));
  if (intervalMonths.length <= 2 && !whileYoung) return { due, doubts: [] };
  const reason =
    'The first registration is not known: the interval is the one of an older vehicle.';
  return { due, doubts: [{ confidence: 'medium', reason }] };
}

/**
 * The first day on which it was due since it came to us. Those before are taken for passed; this one stays,
 * also when it goes by, until somebody says that the inspection was passed.
 */
function sinceRegistered(rule: Rule, facts: Facts, registered: string): Due {
  let step = firstStep(rule, registered);
  while (step.due < facts.knownSince) step = nextStep(rule, facts, registered, step);
  const doubts: Doubt[] = [];
  if (!facts.usageIsRecorded) {
    const reason = 'The usage is not recorded, and was taken for private.';
    doubts.push({ confidence: 'medium', reason });
  }
  if (step.inspection > 1) {
    const reason = 'No passed inspection is recorded; those due before were taken for passed.';
    doubts.push({ confidence: 'medium', reason });
  }
  return { due: step.due, doubts };
}

/** From the last inspection on; or from the day on which that one was due, if it keeps the date. */
function sinceBoth(rule: Rule, facts: Facts, registered: string, passed: string): Due {
  const latest = addMonths(passed, toleranceMonths);
  // One that nothing had asked for yet counts as the first.
  let step = firstStep(rule, registered);
  let following = nextStep(rule, facts, registered, step);
  while (following.due <= latest) {
    step = following;
    following = nextStep(rule, facts, registered, step);
  }
  if (rule.keepsDate && isWithin(rule.keepsDate, step.due, passed)) {
    return { due: following.due, doubts: [] };
  }
  const interval = intervalAfter(rule, facts, step.inspection, passed);
  return { due: dueDay(rule, addMonths(passed, interval)), doubts: [] };
}

/** One of the inspections of a vehicle that is never inspected earlier or later than it is due. */
type Step = { inspection: number; months: number; due: string };

function firstStep(rule: Rule, registered: string): Step {
  const months = rule.intervalMonths[0];
  return { inspection: 1, months, due: dueDay(rule, addMonths(registered, months)) };
}

function nextStep(rule: Rule, facts: Facts, registered: string, step: Step): Step {
  // Counted from the registration each time: a shorter month on the way moves nothing.
  const passed = addMonths(registered, step.months);
  const months = step.months + intervalAfter(rule, facts, step.inspection, passed);
  const due = dueDay(rule, addMonths(registered, months));
  return { inspection: step.inspection + 1, months, due };
}

/** The months that follow an inspection, which was the first, the second… of the vehicle. */
function intervalAfter(rule: Rule, facts: Facts, inspection: number, passed: string): number {
  const { intervalMonths, whileYoung } = rule;
  if (whileYoung && isYoung(whileYoung, facts, passed)) return whileYoung.intervalMonths;
  return intervalMonths[inspection] ?? intervalMonths.at(-1) ?? intervalMonths[0];
}

function isYoung(
  { ageMonths, ageIncluded, odometerBelow }: YoungVehicles,
  { firstRegistrationDate, odometer }: Facts,
  day: string,
): boolean {
  if (firstRegistrationDate === undefined || odometer === undefined) return false;
  const reachesAge = addMonths(firstRegistrationDate, ageMonths);
  return (day < reachesAge || (ageIncluded && day === reachesAge)) && odometer < odometerBelow;
}

function isWithin(window: DateWindow, due: string, passed: string): boolean {
  const begin = addMonths(due, -window.monthsBefore);
  const end = addMonths(due, window.monthsAfter ?? 0);
  if (window.wholeMonths) return passed >= startOfMonth(begin) && passed <= endOfMonth(end);
  return passed >= (window.lessOneDay ? nextDay(begin) : begin) && passed <= end;
}

function dueDay({ dueBy }: Rule, date: string): string {
  return dueBy === 'month' ? endOfMonth(date) : date;
}
