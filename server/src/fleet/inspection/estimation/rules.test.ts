import { describe, expect, test } from 'vitest';
import { formats } from '../../../platform/http/formats.ts';
import { usages, vehicleClasses } from '../../vehicle-use.ts';
import { fuels } from './facts.ts';
import { regions, ruleFor } from './rule-for.ts';
import { rules } from './rules.ts';

const today = '2026-11-15';

describe('every rule', () => {
  test.each(
    rules.map((rule) => ({
      name: `${rule.country} ${rule.classes} ${rule.usages} ${rule.fuels ?? ''}`,
      rule,
    })),
  )(
    '$name cites its law, says since when and when it was reviewed, and why it is less than certain',
    ({ rule }) => {
      expect(formats.date(rule.validFrom)).toBe(true);
      expect(formats.date(rule.reviewedOn)).toBe(true);
      expect(rule.source.length).toBeGreaterThan(10);
      expect(rule.intervalMonths.every((months) => months >= 6 && months <= 60)).toBe(true);
      expect(rule.intervalMonths.length > 0 || rule.note !== undefined).toBe(true);
      if (rule.confidence !== 'high') expect(rule.note).toMatch(/\.$/);
    },
  );

  test('no two are for the same vehicles on the same day', () => {
    const claims = rules.flatMap(({ country, classes, usages, fuels = ['any'], validFrom }) =>
      classes.flatMap((vehicleClass) =>
        usages.flatMap((usage) =>
          fuels.map((fuel) => [country, vehicleClass, usage, fuel, validFrom].join(' ')),
        ),
      ),
    );
    expect(new Set(claims).size).toBe(claims.length);
  });

  test('a country that tells fuels apart has a rule for each of them, and for an unknown one', () => {
    for (const country of new Set(rules.flatMap((rule) => (rule.fuels ? [rule.country] : [])))) {
      for (const fuel of [...fuels, undefined]) {
        const found = ruleFor({ country, usage: 'private', ...(fuel && { fuel }) }, 'M1', today);
        expect(found?.country, `${country} ${fuel}`).toBe(country);
      }
    }
  });
});

const europeanUnion =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

test.each([...europeanUnion, 'NO', 'IS', 'LI', 'CH', 'GB', ...regions])(
  '%s has a rule of its own for every class and usage',
  (country) => {
    for (const vehicleClass of vehicleClasses) {
      for (const usage of usages) {
        const rule = ruleFor({ country, usage }, vehicleClass, today);
        expect(rule?.country.slice(0, 2), `${vehicleClass} ${usage}`).toBe(country.slice(0, 2));
      }
    }
  },
);

test('carrying passengers is never inspected less often than private use', () => {
  for (const country of europeanUnion) {
    const [taxi, own] = (['taxi', 'private'] as const).map((usage) =>
      ruleFor({ country, usage, fuel: 'petrol' }, 'M1', today),
    );
    expect(taxi?.usages, country).toContain('taxi');
    expect(taxi?.intervalMonths[0], country).toBeLessThanOrEqual(12);
    expect(own?.intervalMonths[0], country).toBeGreaterThanOrEqual(12);
  }
});

test('Austria is not certain while its reform is not confirmed', () => {
  const austrian = rules.filter(({ country }) => country === 'AT');
  expect(new Set(austrian.map(({ confidence }) => confidence))).toEqual(new Set(['medium']));
});

test('a change of the law is a row with a later date: the old one holds to the day before', () => {
  const [present] = rules.filter(({ country }) => country === 'AT');
  if (!present) throw new Error('AT has no rule');
  const reform = {
    ...present,
    intervalMonths: [48, 24, 24, 24, 12] as const,
    validFrom: '2027-01-01',
  };
  const facts = { country: 'AT', usage: 'private' } as const;
  for (const table of [
    [present, reform],
    [reform, present],
  ]) {
    expect(ruleFor(facts, 'M1', '2026-12-31', table)).toBe(present);
    expect(ruleFor(facts, 'M1', '2027-01-01', table)).toBe(reform);
  }
  expect(ruleFor(facts, 'M1', '2018-05-19', [present])).toBeUndefined();
});
