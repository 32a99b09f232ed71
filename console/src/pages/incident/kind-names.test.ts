import { expect, test } from 'vitest';
import { storedKind, translatedKind } from './kind-names.ts';

const english = { parking: 'Parking damage', hail: 'Hail' };
const german = { parking: 'Parkschaden', hail: 'Hagel' };

test('a kind that was chosen is kept by its key when the language changes', () => {
  const shown = translatedKind('Parking damage', english, german);
  expect(shown).toBe('Parkschaden');
  expect(storedKind(shown, german)).toBe('parking');
});

test('a kind that was typed stays as it is', () => {
  expect(translatedKind('Fox ', english, german)).toBe('Fox ');
  expect(translatedKind('', english, german)).toBe('');
});
