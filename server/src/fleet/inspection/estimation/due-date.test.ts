import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMonths, endOfMonth } from '../../../platform/time/months.ts';
import { usages, vehicleClasses } from '../../vehicle-use.ts';
import { dueDate } from './due-date.ts';
import { type Facts, fuels } from './facts.ts';
import type { Rule } from './rule.ts';
import { ruleFor } from './rule-for.ts';
import { rules } from './rules.ts';

const today = '2026-11-15';

/** Due dates one after the other, since the registration. */
function* walk(rule: Rule, facts: Facts, registered: string): Generator<string> {
  const { intervalMonths, newVehicleInterval: ofNew, olderVehicles = [] } = rule;
  const { odometer = Number.POSITIVE_INFINITY } = facts;
  let age = 0;
  for (let inspection = 0; ; inspection += 1) {
    const interval = intervalMonths[Math.min(inspection, intervalMonths.length - 1)] ?? 0;
    const newUntil = ofNew?.ageMonths ?? Number.POSITIVE_INFINITY;
    const isNew =
      inspection > 0 &&
      ofNew !== undefined &&
      odometer < ofNew.odometerBelow &&
      (age < newUntil || (age === newUntil && ofNew.ageIncluded === true));
    const bounds = olderVehicles.map((older) =>
      Math.max(older.ageMonths, age + older.intervalMonths),
    );
    const regular = age + (isNew ? ofNew.intervalMonths : interval);
    age = inspection === 0 ? regular : Math.min(regular, ...bounds);
    const date = addMonths(registered, age);
    yield rule.dueBy === 'month' ? endOfMonth(date) : date;
  }
}

function firstOf(dates: Generator<string>, isFound: (date: string) => boolean): string {
  for (const date of dates) if (isFound(date)) return date;
  return '';
}

const date = (min: string) =>
  fc
    .date({ min: new Date(min), max: new Date(today), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10));
const applied = fc
  .record(
    {
      firstRegistrationDate: date('1900-01-01'),
      lastInspectionDate: date('1900-01-01'),
      country: fc.constantFrom(...new Set(rules.map(({ country }) => country))),
      usage: fc.constantFrom(...usages),
      usageIsRecorded: fc.constant(true),
      fuel: fc.constantFrom(...fuels),
      vehicleClass: fc.constantFrom(...vehicleClasses).map((recorded) => ({ recorded })),
      odometer: fc.integer({ min: 0, max: 200_000 }),
      addedOn: date('1900-01-01'),
    },
    {
      requiredKeys: [
        'firstRegistrationDate',
        'lastInspectionDate',
        'country',
        'usage',
        'usageIsRecorded',
        'vehicleClass',
        'addedOn',
      ],
    },
  )
  .map((facts) => ({ facts, rule: ruleFor(facts, facts.vehicleClass.recorded, today) }))
  .filter(({ rule }) => (rule?.intervalMonths.length ?? 0) > 0)
  .map(({ facts, rule }) => ({ facts, rule: rule as Rule }));

test('without an inspection, the date is the first of all since the registration that is not before the vehicle was added', () => {
  fc.assert(
    fc.property(applied, ({ facts: { lastInspectionDate: _passed, ...facts }, rule }) => {
      const { firstRegistrationDate: registered, addedOn } = facts;
      const expected = firstOf(walk(rule, facts, registered), (due) => due >= addedOn);
      expect(dueDate(rule, facts)?.due).toBe(expected);
    }),
    { numRuns: 5_000 },
  );
});

test('where due dates do not move, the date is the first of all since the registration after the last inspection', () => {
  const moving = applied.filter(
    ({ facts }) => facts.lastInspectionDate >= facts.firstRegistrationDate,
  );
  fc.assert(
    fc.property(moving, ({ facts, rule }) => {
      const { firstRegistrationDate: registered, lastInspectionDate: passed } = facts;
      const fixed: Rule = { ...rule, fixedAnniversaries: true };
      const latest = addMonths(passed, 3);
      const expected = firstOf(walk(fixed, facts, registered), (due) => due > latest);
      expect(dueDate(fixed, facts)?.due).toBe(expected);
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  ['without an inspection', {}],
  ['with one', { lastInspectionDate: '2026-01-15' }],
])('a registration long ago takes few steps, %s', (_case, passed) => {
  for (const rule of rules.filter(({ intervalMonths }) => intervalMonths.length > 0)) {
    let steps = 0;
    const counted: Rule = {
      ...rule,
      get dueBy() {
        steps += 1;
        return rule.dueBy;
      },
    };
    dueDate(counted, {
      firstRegistrationDate: '0001-01-31',
      ...passed,
      country: rule.country,
      usage: 'private',
      usageIsRecorded: true,
      vehicleClass: { recorded: 'M1' },
      odometer: 0,
      addedOn: '2024-01-01',
    });
    expect(steps).toBeLessThan(30);
  }
});
