import { expect, test } from 'vitest';
import { createPendingBodies } from './pending-bodies.ts';

test('bodies of a provider are bounded, and so are those of all but for what each has reserved', () => {
  const begin = createPendingBodies({ ofProvider: 6, ofProcess: 10, reserved: 2, detail: 'No.' });
  const [first, second, third] = [begin('DE-ABC'), begin('DE-ABC'), begin('FR-XYZ')];
  first.add(4);
  second.add(2);
  expect(() => second.add(1)).toThrow('No.');
  third.add(4);
  expect(() => third.add(1)).toThrow('No.');
  const other = begin('IT-XYZ');
  other.add(2);
  expect(() => other.add(1)).toThrow('No.');

  second.end();
  second.end();
  other.end();
  third.add(2);
  expect(() => third.add(1)).toThrow('No.');
  first.end();
  expect(() => third.add(1)).toThrow('No.');
  begin('DE-ABC').add(4);
});

test('what comes after the end is not counted', () => {
  const begin = createPendingBodies({ ofProvider: 1, detail: 'No.' });
  const body = begin('DE-ABC');
  body.end();
  body.add(1);
  begin('DE-ABC').add(1);
});
