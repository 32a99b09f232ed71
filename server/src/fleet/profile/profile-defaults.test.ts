import { expect, test } from 'vitest';
import { profileIssues } from './profile.ts';
import { profileDefaults } from './profile-defaults.ts';

const countries =
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK';

test.each(countries.split(' '))('%s has a time zone, a locale and a currency', (country) => {
  const defaults = profileDefaults(country);
  expect(profileIssues({ name: 'Fleet', ...defaults })).toEqual([]);
  expect(defaults.timeZone).not.toBe('UTC');
  expect(defaults.locale).toMatch(new RegExp(`^[a-z]{2}-${country}$`));
});

test.each([
  ['DE', 'Europe/Berlin', 'de-DE', 'EUR'],
  ['CH', 'Europe/Zurich', 'de-CH', 'CHF'],
  ['PT', 'Europe/Lisbon', 'pt-PT', 'EUR'],
  ['ZZ', 'UTC', 'en', 'EUR'],
])('the defaults of %s are %s, %s and %s', (country, timeZone, locale, currency) => {
  expect(profileDefaults(country)).toEqual({
    timeZone,
    locale,
    currency,
    defaultUsage: 'private',
    erasePositionsWithCustomer: false,
  });
});
