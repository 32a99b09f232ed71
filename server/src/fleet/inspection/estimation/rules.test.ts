import { describe, expect, test } from 'vitest';
import { formats } from '../../../platform/http/formats.ts';
import { categories, fuels, usages } from './facts.ts';
import { regions, ruleFor } from './rule-for.ts';
import { rules } from './rules.ts';

const today = '2026-11-15';

describe('every rule', () => {
  test.each(
    rules.map((rule) => ({ name: `${rule.country} ${rule.usages} ${rule.fuels ?? ''}`, rule })),
  )('$name says where it is from, since when, and why it is less than certain', ({ rule }) => {
    expect(formats.date(rule.validFrom)).toBe(true);
    expect(rule.source).not.toBe('');
    expect(rule.intervalMonths.every((months) => months >= 12 && months <= 60)).toBe(true);
    if (rule.confidence !== 'high') expect(rule.note).toMatch(/\.$/);
  });

  test('no two are for the same vehicles on the same day', () => {
    const claims = rules.flatMap(({ country, usages, fuels = ['any'], category, validFrom }) =>
      usages.flatMap((usage) =>
        fuels.map((fuel) => [country, usage, fuel, category, validFrom].join(' ')),
      ),
    );
    expect(new Set(claims).size).toBe(claims.length);
  });

  test('a country that tells fuels apart has a rule for each of them, and for an unknown one', () => {
    for (const country of new Set(rules.flatMap((rule) => (rule.fuels ? [rule.country] : [])))) {
      for (const fuel of [...fuels, undefined]) {
        const found = ruleFor(
          { country, usage: 'private', category: 'car', ...(fuel && { fuel }) },
          today,
        );
        expect(found?.country, `${country} ${fuel}`).toBe(country);
      }
    }
  });
});

test('every usage and category finds a rule wherever there is one at all', () => {
  for (const country of [
    ...regions,
    'DE',
    'AT',
    'CH',
    'FR',
    'NL',
    'GB',
    'ES',
    'IT',
    'BE',
    'SE',
    'PL',
    'LV',
  ]) {
    for (const usage of usages) {
      for (const category of categories) {
        expect(ruleFor({ country, usage, category }, today), `${country} ${usage}`).toBeDefined();
      }
    }
  }
  expect(ruleFor({ country: 'NO', usage: 'private', category: 'car' }, today)).toBeUndefined();
});

test('a change of the law is a row with a later date: the old one holds to the day before', () => {
  const [present] = rules.filter(({ country }) => country === 'AT');
  if (!present) throw new Error('AT has no rule');
  const reform = {
    ...present,
    intervalMonths: [48, 24, 24, 24, 12] as const,
    validFrom: '2027-01-01',
  };
  const facts = { country: 'AT', usage: 'private', category: 'car' } as const;
  for (const table of [
    [present, reform],
    [reform, present],
  ]) {
    expect(ruleFor(facts, '2026-12-31', table)).toBe(present);
    expect(ruleFor(facts, '2027-01-01', table)).toBe(reform);
  }
  expect(ruleFor(facts, '2018-05-19', [present])).toBeUndefined();
});
