import {
  addMonths,
  endOfMonth,
  monthsBetween,
  nextDay,
  startOfMonth,
} from '../../../platform/time/months.ts';
import type { Facts } from './facts.ts';
import type { Caveat, DateWindow, NewVehicleInterval, Rule } from './rule.ts';

type Due = { due: string; caveats: Caveat[] };

/** An inspection up to this long before its due date counts as the one that was due. */
const earlyToleranceMonths = 6;
/** Where due dates do not move, a late inspection is not taken for the next one. */
const fixedEarlyToleranceMonths = 3;

/** The due date by a rule; undefined when neither the registration nor an inspection is known. */
export function dueDate(rule: Rule, facts: Facts): Due | undefined {
  const { firstRegistrationDate: registered, lastInspectionDate: passed } = facts;
  if (registered === undefined)
    return passed === undefined ? undefined : dueAfterInspection(rule, passed);
  if (passed === undefined) return dueAfterRegistration(rule, facts, registered);
  if (passed >= registered) return dueAfterBoth(rule, facts, registered, passed);
  const { due, caveats } = dueAfterRegistration(rule, facts, registered);
  const reason = 'The last inspection lies before the first registration, and was left aside.';
  return { due, caveats: [{ confidence: 'low', reason }, ...caveats] };
}

/** The age is unknown: the interval of an older vehicle applies. */
function dueAfterInspection(rule: Rule, passed: string): Due {
  const { intervalMonths, newVehicleInterval, olderVehicles } = rule;
  const months = olderVehicles?.at(-1)?.intervalMonths ?? intervalMonths.at(-1) ?? 0;
  const due = dueDay(rule, addMonths(passed, months));
  const dependsOnAge = intervalMonths.length > 2 || newVehicleInterval || olderVehicles;
  if (!dependsOnAge) return { due, caveats: [] };
  const reason =
    'The first registration is not known: the interval is the one of an older vehicle.';
  return { due, caveats: [{ confidence: 'medium', reason }] };
}

/**
 * The first due date since the vehicle was added. Earlier ones are taken for passed; this one stays, also when
 * it is overdue, until a passed inspection is recorded.
 */
function dueAfterRegistration(rule: Rule, facts: Facts, registered: string): Due {
  let step = stepBefore(rule, facts, registered, facts.addedOn);
  while (step.due < facts.addedOn) step = nextStep(rule, facts, registered, step);
  const caveats: Caveat[] = [];
  if (!facts.usageIsRecorded) {
    const reason = `The usage is not recorded, and was taken for ${facts.usage}.`;
    caveats.push({ confidence: 'medium', reason });
  }
  if (step.inspection > 1) {
    const reason = 'No passed inspection is recorded; those due before were taken for passed.';
    caveats.push({ confidence: 'medium', reason });
  }
  return { due: step.due, caveats };
}

/** From the last inspection; or from its due date, where the rule preserves the anniversary. */
function dueAfterBoth(rule: Rule, facts: Facts, registered: string, passed: string): Due {
  const latest = addMonths(
    passed,
    rule.fixedAnniversaries ? fixedEarlyToleranceMonths : earlyToleranceMonths,
  );
  let step = stepBefore(rule, facts, registered, latest);
  const { anniversaryWindow: window, fixedAnniversaries } = rule;
  // Elsewhere, an inspection before the first due date counts as the first.
  if (fixedAnniversaries && step.due > latest) return { due: step.due, caveats: [] };
  let next = nextStep(rule, facts, registered, step);
  while (next.due <= latest) {
    step = next;
    next = nextStep(rule, facts, registered, step);
  }
  if (fixedAnniversaries || (window && isWithin(window, step.due, passed))) {
    return { due: next.due, caveats: [] };
  }
  const interval = intervalAfter(rule, facts, step.inspection, passed);
  const due = boundByAge(rule, addMonths(passed, interval), {
    atAge: (months) => addMonths(registered, months),
    afterPassed: (months) => addMonths(passed, months),
  });
  return { due: dueDay(rule, due), caveats: [] };
}

/** One of the inspections of a vehicle that is always inspected on its due date. */
type Step = { inspection: number; months: number; due: string };

function firstStep(rule: Rule, registered: string): Step {
  const months = rule.intervalMonths[0] ?? 0;
  return { inspection: 1, months, due: dueDay(rule, addMonths(registered, months)) };
}

/** One that is due before a day and that few others follow until then; or the first. */
function stepBefore(rule: Rule, facts: Facts, registered: string, day: string): Step {
  const { intervalMonths, olderVehicles = [], newVehicleInterval } = rule;
  const lastChange = Math.max(
    newVehicleInterval?.ageMonths ?? 0,
    ...olderVehicles.map(({ ageMonths }) => ageMonths),
  );
  // Due at a lower age is due in an earlier month.
  const age = monthsBetween(registered, day);
  let step = firstStep(rule, registered);
  while (step.months < age) {
    const next = nextStep(rule, facts, registered, step);
    if (step.inspection >= intervalMonths.length && step.months > lastChange) {
      const interval = next.months - step.months;
      const skipped = Math.floor((age - 1 - step.months) / interval);
      const months = step.months + skipped * interval;
      const due = dueDay(rule, addMonths(registered, months));
      return { inspection: step.inspection + skipped, months, due };
    }
    if (next.months >= age) return step;
    step = next;
  }
  return step;
}

function nextStep(rule: Rule, facts: Facts, registered: string, step: Step): Step {
  // Counted from the registration each time, so that a shorter month does not shift later due dates.
  const passed = addMonths(registered, step.months);
  const interval = intervalAfter(rule, facts, step.inspection, passed);
  const months = boundByAge(rule, step.months + interval, {
    atAge: (age) => age,
    afterPassed: (later) => step.months + later,
  });
  const due = dueDay(rule, addMonths(registered, months));
  return { inspection: step.inspection + 1, months, due };
}

/** The months after an inspection of the vehicle, which is numbered from 1. */
function intervalAfter(rule: Rule, facts: Facts, inspection: number, passed: string): number {
  const { intervalMonths, newVehicleInterval } = rule;
  if (newVehicleInterval && isNewVehicle(newVehicleInterval, facts, passed))
    return newVehicleInterval.intervalMonths;
  return intervalMonths[inspection] ?? intervalMonths.at(-1) ?? 0;
}

/** An interval that reaches beyond an age from which a shorter one holds ends there, or after the shorter one. */
function boundByAge<Time extends string | number>(
  { olderVehicles = [] }: Rule,
  due: Time,
  { atAge, afterPassed }: Record<'atAge' | 'afterPassed', (months: number) => Time>,
): Time {
  return olderVehicles.reduce((earliest, { ageMonths, intervalMonths }) => {
    const [age, shorter] = [atAge(ageMonths), afterPassed(intervalMonths)];
    const bound = age > shorter ? age : shorter;
    return bound < earliest ? bound : earliest;
  }, due);
}

function isNewVehicle(
  { ageMonths, ageIncluded, odometerBelow }: NewVehicleInterval,
  { firstRegistrationDate, odometer }: Facts,
  day: string,
): boolean {
  if (firstRegistrationDate === undefined || odometer === undefined) return false;
  if (odometer >= odometerBelow) return false;
  if (ageMonths === undefined) return true;
  const reachesAge = addMonths(firstRegistrationDate, ageMonths);
  return day < reachesAge || (ageIncluded === true && day === reachesAge);
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
