import { expect, test } from 'vitest';
import { createPendingBodies } from './pending-bodies.ts';

let clients = 0;
/** Another client of the provider. */
const of = (provider: string) => ({ provider, kind: 'client', subject: `${clients++}` }) as const;

test('bodies of a provider are bounded, and so are those of all but for what each has reserved', () => {
  const begin = createPendingBodies({ ofProvider: 6, ofProcess: 10, reserved: 2, detail: 'No.' });
  const [first, second, third] = [begin(of('DE-ABC')), begin(of('DE-ABC')), begin(of('FR-XYZ'))];
  const fourth = begin(of('FR-XYZ'));
  first.add(3);
  second.add(3);
  expect(() => begin(of('DE-ABC')).add(1)).toThrow('No.');
  third.add(2);
  fourth.add(2);
  expect(() => third.add(1)).toThrow('No.');
  const other = begin(of('IT-XYZ'));
  other.add(2);
  expect(() => other.add(1)).toThrow('No.');

  second.end();
  second.end();
  other.end();
  third.add(1);
  fourth.add(1);
  expect(() => begin(of('FR-XYZ')).add(1)).toThrow('No.');
  first.end();
  expect(() => begin(of('FR-XYZ')).add(1)).toThrow('No.');
  begin(of('DE-ABC')).add(3);
});

test('one client has half of those of its provider at most, by all of its bodies', () => {
  const begin = createPendingBodies({ ofProvider: 6, detail: 'No.' });
  const client = of('DE-ABC');
  const [first, second] = [begin(client), begin(client)];
  first.add(2);
  expect(() => second.add(2)).toThrow('No.');
  second.add(1);
  begin(of('DE-ABC')).add(3);
  first.end();
  second.add(2);
});

test('what comes after the end is not counted', () => {
  const begin = createPendingBodies({ ofProvider: 2, detail: 'No.' });
  const client = of('DE-ABC');
  const body = begin(client);
  body.end();
  body.add(1);
  begin(client).add(1);
});
