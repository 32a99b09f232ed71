import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formats } from '../../../platform/http/formats.ts';
import { addMonths } from '../../../platform/time/months.ts';
import { usages, vehicleClasses } from '../../vehicle-use.ts';
import { estimate } from './estimate.ts';
import { type Facts, fuels } from './facts.ts';
import { rules } from './rules.ts';

const today = '2026-11-15';

function factsWith(some: Partial<Facts> & { country: string }): Facts {
  return {
    usage: 'private',
    usageIsRecorded: true,
    vehicleClass: { recorded: 'M1' },
    addedOn: '2024-01-01',
    ...some,
  };
}

/**
 * Computed by hand: the country, the first registration, the last inspection, what else is known, when it is
 * due and how sure that is. Unless it says otherwise, it is a private car that was added at the start of 2024.
 */
const examples = `
  DE     | 2024-03-15 | -          |                        | 2027-03-31 | high   | the first
  DE     | 2024-03-15 | -          | usage not recorded     | 2027-03-31 | medium | the first, the usage not recorded
  DE     | 2021-02-28 | -          |                        | 2024-02-29 | high   | the first in a leap year
  DE     | 2022-03-01 | 2025-03-18 |                        | 2027-03-31 | high   | after the first
  DE     | 2020-01-15 | 2023-06-02 |                        | 2025-06-30 | high   | after a late one, not dated back
  DE     | 2024-05-20 | 2025-02-10 |                        | 2027-02-28 | high   | after an early one that nobody asked for
  DE     | -          | 2022-02-10 |                        | 2024-02-29 | high   | in a leap year
  DE     | -          | 2026-01-31 |                        | 2028-01-31 | high   | of an unknown age
  DE     | 2015-05-05 | -          | known 2026-11-01       | 2028-05-31 | medium | of a used car that came lately
  DE     | 2015-05-05 | -          | known 2026-05-31       | 2026-05-31 | medium | due on the day it came
  DE     | 2020-08-10 | -          | known 2023-01-01       | 2023-08-31 | high   | overdue, and it stays
  DE     | 2025-11-30 | -          | rental                 | 2026-11-30 | high   | a rental, the first
  DE     | 2024-01-15 | 2026-02-11 | rental                 | 2027-02-28 | high   | a rental, the next
  DE     | 2025-06-05 | -          | taxi                   | 2026-06-30 | high   | a taxi
  DE     | 2024-03-15 | -          | N1                     | 2026-03-31 | high   | a van, the first after 24 months
  DE     | 2022-03-01 | 2024-03-18 | N1                     | 2026-03-31 | high   | a van, the next after 24 months
  DE     | 2025-05-05 | -          | N1, rental             | 2026-05-31 | high   | a van to let
  DE     | 2025-12-01 | -          | N3                     | 2026-12-31 | high   | a lorry
  DE     | 2025-12-01 | -          | M3                     | 2026-12-31 | high   | a bus
  DE     | 2024-12-01 | -          | L                      | 2026-12-31 | high   | a motorcycle
  DE     | 2025-12-01 | -          | O                      | 2026-12-31 | medium | a trailer, whose mass is not known
  AT     | 2023-06-12 | -          |                        | 2026-06-12 | medium | the first
  AT     | 2023-06-12 | 2026-05-01 |                        | 2028-06-12 | medium | from the first day of the month before on, it keeps the date
  AT     | 2023-06-12 | 2026-04-30 |                        | 2028-04-30 | medium | a day earlier, it does not
  AT     | 2023-06-12 | 2026-10-31 |                        | 2028-06-12 | medium | to the last day of the fourth month after, it keeps the date
  AT     | 2023-06-12 | 2026-11-01 |                        | 2028-11-01 | medium | a day later, it does not
  AT     | 2019-02-28 | 2024-03-15 |                        | 2025-02-28 | medium | the third follows after a year
  AT     | 2020-02-29 | 2026-02-10 |                        | 2027-02-28 | medium | registered on a leap day
  AT     | 2020-02-29 | 2027-02-28 |                        | 2028-02-29 | medium | registered on a leap day, due on one
  AT     | -          | 2026-03-31 |                        | 2027-03-31 | medium | of an unknown age
  AT     | 2025-12-01 | -          | taxi                   | 2026-12-01 | medium | a taxi
  AT     | 2024-01-31 | -          | rental                 | 2027-01-31 | medium | a rental
  AT     | 2025-12-01 | -          | N1                     | 2026-12-01 | medium | a van
  CH     | 2021-09-30 | -          |                        | 2026-09-30 | high   | the first
  CH     | 2017-03-20 | 2022-04-10 |                        | 2025-04-10 | high   | the second
  CH     | 2014-05-05 | 2022-06-01 |                        | 2024-06-01 | high   | the third
  CH     | 2022-11-30 | -          | N1                     | 2026-11-30 | high   | a van
  CH     | 2022-11-30 | -          | N1, rental             | 2026-11-30 | high   | a rental van
  CH     | 2024-11-30 | -          | N3                     | 2026-11-30 | high   | a lorry
  CH     | 2026-01-31 | -          | taxi                   | 2027-01-31 | high   | a taxi
  FR     | 2022-12-24 | -          |                        | 2026-12-24 | high   | the first
  FR     | 2020-02-20 | 2024-02-29 |                        | 2026-02-28 | high   | passed on a leap day
  FR     | 2019-08-31 | 2025-08-31 |                        | 2027-08-31 | high   | passed on the last day of August
  FR     | 2026-02-01 | -          | taxi                   | 2027-02-01 | medium | a taxi, by the directive
  NL     | 2023-01-31 | -          | petrol                 | 2027-01-31 | high   | petrol, the first
  NL     | 2022-12-31 | -          | electric               | 2026-12-31 | high   | electric
  NL     | 2020-10-05 | 2024-08-05 | petrol                 | 2026-10-05 | high   | two months early, it keeps the date
  NL     | 2020-10-05 | 2024-08-04 | petrol                 | 2026-08-04 | high   | a day earlier, it does not
  NL     | 2021-04-30 | 2025-02-28 | diesel                 | 2026-04-30 | high   | two months before the end of April is the end of February
  NL     | 2016-03-10 | 2024-03-25 | petrol                 | 2025-03-25 | high   | petrol, late with the third
  NL     | 2024-06-01 | -          | diesel                 | 2027-06-01 | high   | diesel, the first
  NL     | 2024-06-01 | -          | lpg                    | 2027-06-01 | high   | LPG
  NL     | 2024-06-01 | -          | hybrid                 | 2028-06-01 | medium | a hybrid
  NL     | 2024-06-01 | -          |                        | 2027-06-01 | medium | an unknown fuel
  GB     | 2024-02-29 | -          |                        | 2027-02-28 | high   | the first
  GB     | 2020-09-16 | 2026-08-17 |                        | 2027-09-16 | high   | a month minus a day early, it keeps the date
  GB     | 2020-09-16 | 2026-08-16 |                        | 2027-08-16 | high   | a day earlier, it does not
  GB     | 2021-05-10 | 2024-06-01 |                        | 2025-06-01 | high   | late
  GB     | 2021-05-10 | 2024-04-11 |                        | 2025-05-10 | high   | the first of them early
  GB     | 2026-03-31 | -          | taxi                   | 2027-03-31 | medium | a taxi
  GB-NIR | 2023-07-07 | -          |                        | 2027-07-07 | medium | the first
  GB-NIR | 2022-01-31 | 2026-01-05 |                        | 2027-01-31 | medium | the second
  ES     | 2023-05-31 | -          |                        | 2027-05-31 | high   | the first
  ES     | 2015-03-10 | 2023-03-01 |                        | 2025-03-01 | high   | at the age of eight years
  ES     | 2015-03-10 | 2025-03-01 |                        | 2026-03-01 | high   | at the age of ten years
  ES     | 2015-03-10 | -          | known 2025-06-01       | 2026-03-10 | medium | a used car that came lately
  ES     | 2023-05-31 | -          | rental                 | 2027-05-31 | high   | a rental
  ES     | 2026-05-31 | -          | taxi                   | 2027-05-31 | medium | a taxi
  ES     | 2020-05-31 | 2026-03-01 | taxi                   | 2026-09-01 | medium | a taxi from five years on
  ES     | 2024-11-30 | -          | N1                     | 2026-11-30 | high   | a van
  ES     | 2019-06-10 | 2025-01-10 | N1                     | 2026-01-10 | high   | a van, past six years before two have gone by
  IT     | 2022-11-03 | -          |                        | 2026-11-30 | high   | the first
  IT     | -          | 2024-02-12 |                        | 2026-02-28 | high   | the next
  IT     | -          | 2022-02-12 |                        | 2024-02-29 | high   | in a leap year
  BE     | 2023-02-01 | -          |                        | 2027-02-01 | low    | the first
  BE     | 2022-02-01 | 2026-02-01 | 1000 km                | 2027-02-01 | low    | the second
  BE-BRU | 2020-06-15 | 2026-06-15 | 99999 km               | 2028-06-15 | medium | up to six years
  BE-BRU | 2020-06-15 | 2026-06-16 | 99999 km               | 2027-06-16 | medium | past six years
  BE-BRU | 2022-06-15 | 2026-06-01 | 100000 km              | 2027-06-01 | medium | from 100,000 km on
  BE-BRU | 2022-06-15 | 2026-06-01 |                        | 2027-06-01 | medium | an unknown odometer
  BE-BRU | -          | 2026-06-01 | 1000 km                | 2027-06-01 | medium | of an unknown age
  BE-BRU | 2026-05-31 | -          | taxi                   | 2026-11-30 | high   | a taxi, as in all regions
  BE-BRU | 2026-05-31 | -          | N1                     | 2027-05-31 | medium | a van, as in all regions
  BE-VLG | 2018-06-15 | 2026-06-14 | 159999 km              | 2028-06-14 | medium | under eight years
  BE-VLG | 2018-06-15 | 2026-06-15 | 159999 km              | 2027-06-15 | medium | eight years old
  BE-VLG | 2018-06-15 | 2026-06-14 | 160000 km              | 2027-06-14 | medium | from 160,000 km on
  BE-VLG | 2014-09-09 | -          | 90000 km, known 2022-09-10 | 2023-09-09 | medium | a used car: after 4, 6 and 8 years, then every year
  BE-WAL | 2021-01-31 | 2025-01-31 | 109999 km              | 2027-01-31 | medium | under 110,000 km
  BE-WAL | 2021-01-31 | 2025-01-31 | 110000 km              | 2026-01-31 | medium | from 110,000 km on
  SE     | 2023-11-20 | -          |                        | 2026-11-30 | high   | the first
  SE     | 2019-10-10 | 2022-09-15 |                        | 2024-09-30 | high   | the second
  SE     | 2019-10-10 | 2024-10-05 |                        | 2025-12-31 | high   | the third follows after 14 months
  SE     | 2012-10-10 | 2025-12-20 |                        | 2027-02-28 | high   | and so do all others
  SE     | 2026-01-15 | -          | rental                 | 2027-01-31 | high   | a rental
  SE     | -          | 2026-02-28 | taxi                   | 2027-02-28 | high   | a taxi
  PL     | 2023-12-31 | -          | petrol                 | 2026-12-31 | high   | the first
  PL     | 2021-02-28 | 2024-02-29 | diesel                 | 2026-02-28 | high   | the second, passed on a leap day
  PL     | 2019-05-05 | 2024-05-05 | hybrid                 | 2025-05-05 | high   | the third
  PL     | 2026-04-30 | -          | lpg                    | 2027-04-30 | high   | LPG
  PL     | 2026-04-30 | -          | taxi                   | 2027-04-30 | high   | a taxi
  PL     | 2023-12-31 | -          |                        | 2026-12-31 | medium | an unknown fuel
  DK     | 2023-03-03 | -          |                        | 2027-03-03 | high   | the first
  DK     | 2020-03-03 | 2024-04-01 |                        | 2026-04-01 | high   | the next
  DK     | 2026-03-03 | -          | taxi                   | 2027-03-03 | high   | a taxi
  DK     | 2024-03-03 | -          | rental                 | 2026-03-03 | medium | a rental
  FI     | 2023-04-10 | -          |                        | 2027-04-10 | high   | the first
  FI     | 2017-04-10 | 2023-05-01 |                        | 2025-05-01 | high   | under ten years, every two
  FI     | 2016-04-10 | 2024-10-01 |                        | 2026-04-10 | high   | at eight and a half, until it is ten years old
  FI     | 2016-04-10 | 2025-06-01 |                        | 2026-06-01 | high   | past nine, a year
  FI     | 2016-04-10 | 2026-04-10 |                        | 2027-04-10 | high   | every year from ten years on
  FI     | 2016-04-10 | 2026-04-10 | N1                     | 2027-04-10 | high   | a van as a car
  PT     | 2023-04-10 | -          |                        | 2027-04-10 | high   | the first
  PT     | 2020-04-10 | 2024-03-20 |                        | 2026-04-10 | high   | on the day of the registration
  PT     | 2023-04-10 | 2024-03-20 |                        | 2027-04-10 | high   | one long before the first does not replace it
  PT     | 2018-04-10 | 2026-04-01 |                        | 2027-04-10 | high   | every year from eight years on
  PT     | 2025-02-10 | -          | N1                     | 2027-02-10 | high   | a van after 24 months
  PT     | 2024-02-10 | 2026-02-01 | N1                     | 2027-02-10 | high   | a van, then every year
  PT     | 2018-02-10 | 2026-02-01 | taxi                   | 2026-08-10 | high   | a taxi, twice a year from seven years on
  HR     | 2025-01-20 | -          |                        | 2027-01-20 | high   | the first
  HR     | 2023-01-20 | 2026-01-15 |                        | 2027-01-15 | high   | then every year
  LV     | 2025-01-20 | -          |                        | 2027-01-20 | high   | the first
  LV     | 2023-01-20 | 2025-01-20 |                        | 2027-01-20 | high   | the second
  LV     | 2022-01-20 | 2026-01-20 |                        | 2027-01-20 | high   | then every year
  BG     | 2024-01-20 | -          |                        | 2027-01-20 | high   | the first
  BG     | 2020-01-20 | 2025-01-20 |                        | 2026-01-20 | high   | every year from five years on
  BG     | 2026-06-20 | -          | taxi                   | 2026-12-20 | high   | a taxi, twice a year
  LT     | 2024-01-20 | -          |                        | 2027-01-20 | high   | the first
  LT     | 2025-01-20 | -          | N1                     | 2027-01-20 | high   | a van
  LT     | 2020-01-20 | 2026-05-20 | taxi                   | 2026-11-20 | high   | a taxi, twice a year from five years on
  IE     | 2023-01-20 | -          |                        | 2027-01-20 | high   | the first
  IE     | 2020-03-01 | 2025-06-30 |                        | 2026-03-01 | high   | late, and the date stays
  IE     | 2016-03-01 | 2026-02-20 |                        | 2027-03-01 | high   | every year from ten years on
  IE     | 2026-02-20 | -          | N1                     | 2027-02-20 | high   | a van
  NO     | 2022-12-01 | -          |                        | 2026-12-01 | high   | the first
  NO     | 2020-12-01 | 2024-11-01 |                        | 2026-11-01 | high   | the next
  RO     | 2014-02-01 | 2025-06-01 |                        | 2026-06-01 | high   | past twelve years before two have gone by
  SI     | 2025-12-10 | -          | rental                 | 2026-12-10 | high   | a rental
  LU     | 2020-12-10 | 2025-06-01 |                        | 2026-12-10 | high   | six years after the registration at the latest
  MT     | 2021-12-10 | 2025-12-01 | 1000 km                | 2027-12-01 | high   | under 160,000 km
  MT     | 2021-12-10 | 2025-12-01 | 160000 km              | 2026-12-01 | high   | from 160,000 km on
  IS     | 2022-12-10 | -          |                        | 2025-12-10 | low    | the earliest month that a number plate may give
`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()) as Example);

type Example = [
  country: string,
  registered: string,
  passed: string,
  more: string,
  due: string,
  confidence: string,
  what: string,
];

/** Parses the facts of an example. */
function factsIn(more: string): Partial<Facts> {
  const words = more === '' ? [] : more.split(', ');
  return Object.assign(
    {},
    ...words.map((word) => {
      if (word === 'usage not recorded') return { usageIsRecorded: false };
      if (word.startsWith('known ')) return { addedOn: word.slice('known '.length) };
      if (word.endsWith(' km')) return { odometer: Number.parseInt(word, 10) };
      if (usages.some((usage) => usage === word)) return { usage: word };
      return vehicleClasses.some((vehicleClass) => vehicleClass === word)
        ? { vehicleClass: { recorded: word } }
        : { fuel: word };
    }),
  );
}

test.each(examples)('%s, registered %s, passed %s, %s: %s, %s (%s)', (...example) => {
  const [country, registered, passed, more, due, confidence] = example;
  const facts = factsWith({
    country,
    ...(registered !== '-' && { firstRegistrationDate: registered }),
    ...(passed !== '-' && { lastInspectionDate: passed }),
    ...factsIn(more),
  });
  const result = estimate(facts, today);
  expect(result).toMatchObject({ estimatedDate: due, confidence });
  // Below high confidence, there is a reason.
  expect(result.reason === undefined).toBe(confidence === 'high');
});

describe('no date', () => {
  test.each([
    ['US', { firstRegistrationDate: '2024-01-01' }, 'No rule is known for US.'],
    ['DE', {}, 'Neither the first registration nor a passed inspection is known.'],
    ['DE', { firstRegistrationDate: '9999-12-31' }, 'The first registration lies too far ahead.'],
  ])('%s %o', (country, some, reason) => {
    const result = estimate(factsWith({ country, ...some }), today);
    expect(result).toMatchObject({ reason, basis: { country, ...some } });
    expect(result).not.toHaveProperty('estimatedDate');
    expect(result).not.toHaveProperty('confidence');
  });
});

test('an inspection before the first registration is left aside, and that is said', () => {
  const facts = { firstRegistrationDate: '2024-03-15', lastInspectionDate: '2020-01-01' };
  const result = estimate(factsWith({ country: 'DE', ...facts }), today);
  expect(result).toMatchObject({ estimatedDate: '2027-03-31', confidence: 'low' });
  expect(result.reason).toMatch(/before the first registration/);
});

test('every caveat is named, and the lowest confidence counts', () => {
  const facts = factsWith({
    country: 'NL',
    vehicleClass: { possible: ['N1', 'M1'], modelIsKnown: true },
    usageIsRecorded: false,
    firstRegistrationDate: '2010-01-01',
  });
  const { confidence, reason } = estimate(facts, today);
  expect(confidence).toBe('medium');
  for (const caveat of [
    /class is not recorded/,
    /fuel/,
    /usage is not recorded/,
    /taken for passed/,
  ]) {
    expect(reason).toMatch(caveat);
  }
});

test('the answer tells the rule that was used and what it was used on', () => {
  const facts = factsWith({
    country: 'NL',
    fuel: 'diesel',
    usage: 'rental',
    firstRegistrationDate: '2024-01-16',
    odometer: 12,
  });
  expect(estimate(facts, today)).toMatchObject({
    rule: {
      country: 'NL',
      usage: 'rental',
      fuel: 'diesel',
      vehicleClass: 'M1',
      intervalMonths: [36, 12],
      validFrom: '2008-01-01',
      source: expect.stringContaining('Wegenverkeerswet 1994, art. 72'),
      reviewedOn: '2026-11-16',
    },
    basis: {
      firstRegistrationDate: '2024-01-16',
      country: 'NL',
      usage: 'rental',
      fuel: 'diesel',
      vehicleClass: 'M1',
      odometer: 12,
      ageMonths: 33,
    },
  });
});

describe('whatever is known', () => {
  const date = fc
    .date({ min: new Date('1950-01-01'), max: new Date('2026-11-15'), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10));
  const facts: fc.Arbitrary<Facts> = fc
    .record(
      {
        firstRegistrationDate: date,
        lastInspectionDate: date,
        country: fc.constantFrom(...rules.map(({ country }) => country)),
        usage: fc.constantFrom(...usages),
        usageIsRecorded: fc.boolean(),
        fuel: fc.constantFrom(...fuels),
        vehicleClass: fc.constantFrom(...vehicleClasses).map((recorded) => ({ recorded })),
        odometer: fc.double({ min: 0, max: 400_000, noNaN: true }),
        addedOn: date,
      },
      { requiredKeys: ['country', 'usage', 'usageIsRecorded', 'vehicleClass', 'addedOn'] },
    )
    .filter((some) => 'firstRegistrationDate' in some || 'lastInspectionDate' in some)
    .filter((some) => estimate(some, today).rule?.intervalMonths.length !== 0);

  test('the date is a real one, after the last inspection, and at most five years and a window away', () => {
    fc.assert(
      fc.property(facts, (some) => {
        const { estimatedDate = '' } = estimate(some, today);
        expect(formats.date(estimatedDate)).toBe(true);
        const { firstRegistrationDate: registered = '', lastInspectionDate: passed } = some;
        if (passed === undefined || passed < registered) {
          expect(estimatedDate >= some.addedOn).toBe(true);
          return;
        }
        // The shortest interval is 6 months; where due dates stay, an inspection may be 3 months late.
        expect(estimatedDate > addMonths(passed, 3)).toBe(true);
        expect(estimatedDate <= addMonths(passed, 60 + 2)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('who is inspected on the day that was estimated is next due a whole interval later', () => {
    fc.assert(
      fc.property(facts, (some) => {
        const { estimatedDate = '', rule } = estimate(some, today);
        const passed = { ...some, lastInspectionDate: estimatedDate };
        const { estimatedDate: next = '' } = estimate(passed, today);
        const older = rule?.olderVehicles?.map(({ intervalMonths }) => intervalMonths) ?? [];
        const intervals = [...(rule?.intervalMonths ?? []), ...older, 24];
        expect(next > addMonths(estimatedDate, Math.min(...intervals) - 5)).toBe(true);
        expect(next <= addMonths(estimatedDate, Math.max(...intervals) + 1)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
