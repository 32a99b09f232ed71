import { expect, test } from 'vitest';
import { shownKind, storedKind, translatedKind } from './kind-names.ts';

const english = { parking: 'Parking damage', hail: 'Hail' };
const german = { parking: 'Parkschaden', hail: 'Hagel' };

test('a kind that was chosen is kept by its key when the language changes', () => {
  const shown = translatedKind('Parking damage', english, german);
  expect(shown).toBe('Parkschaden');
  expect(storedKind(shown, german)).toBe('parking');
});

test.each(['__proto__', 'constructor', 'Fox'])(
  'a kind that no list has is shown as it was typed: %s',
  (kind) => {
    expect(shownKind(kind, english)).toBe(kind);
  },
);

test('a kind that was typed stays as it is', () => {
  expect(translatedKind('Fox ', english, german)).toBe('Fox ');
  expect(translatedKind('', english, german)).toBe('');
});
