import { expect, test } from 'vitest';
import { unknownName } from './unknown-name.ts';

const known = ['licensePlate', 'model', 'modelYear', 'vin', 'information.licensePlate'];
const questionFor = (name: string) =>
  /\. Did you mean (.*)\?$/.exec(unknownName(name, 'a field', known))?.[1];

test('the known names are listed, and the nearest is asked for', () => {
  expect(unknownName('modell', 'a known property', ['vin', 'model'])).toBe(
    '"modell" is not a known property: known are vin, model. Did you mean model?',
  );
  expect(unknownName('x', 'a known property', [])).toBe(
    '"x" is not a known property: none is expected here.',
  );
});

test.each([
  ['licencePlate', 'licensePlate'],
  ['LicensePlate', 'licensePlate'],
  ['license_plate', 'licensePlate'],
  ['information.licencePlate', 'information.licensePlate'],
  ['modelyear', 'modelYear'],
  ['models', 'model'],
])('%s is near to %s', (name, meant) => {
  expect(questionFor(name)).toBe(meant);
});

test.each(['nonsense', 'm', 'in', 'colour', '', 'x'.repeat(100)])('%j is near to none', (name) => {
  expect(questionFor(name)).toBeUndefined();
});
