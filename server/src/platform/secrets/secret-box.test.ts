import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecretBox } from './secret-box.ts';
import { parseSecretKeys } from './secret-keys.ts';

const [one, other] = [randomBytes(32), randomBytes(32)];
const box = createSecretBox([one]);

test('what is sealed is opened under its name, and is not readable', () => {
  const sealed = box.seal('a', 'the secret: ü');
  expect(box.open('a', sealed)).toBe('the secret: ü');
  expect(Buffer.from(sealed.split('.')[1] ?? '', 'base64url').toString()).not.toContain('secret');
  expect(box.seal('a', 'the secret: ü')).not.toBe(sealed);
  expect(box.open('a', box.seal('a', ''))).toBe('');
});

test('a sealed value that was moved or changed is refused', () => {
  const sealed = box.seal('a', 'secret');
  expect(() => box.open('b', sealed)).toThrow();
  for (const at of [20, sealed.length - 5]) {
    const changed = sealed[at] === 'A' ? 'B' : 'A';
    expect(() => box.open('a', sealed.slice(0, at) + changed + sealed.slice(at + 1))).toThrow();
  }
});

test('the first key seals, and the others open', () => {
  const sealed = box.seal('a', 'secret');
  const both = createSecretBox([other, one]);
  expect(both.open('a', sealed)).toBe('secret');
  expect(() => box.open('a', both.seal('a', 'secret'))).toThrow(
    `The secret a is sealed under the key ${both.keyId}, which this process does not have: set SECRETS_KEY.`,
  );
});

test('keys are parsed in every usual form, one or several', () => {
  for (const encoding of ['base64', 'base64url', 'hex'] as const)
    expect(parseSecretKeys(one.toString(encoding))).toEqual([one]);
  for (const separator of [',', ' ', ', ', '\n'])
    expect(parseSecretKeys(one.toString('hex') + separator + other.toString('base64'))).toEqual([
      one,
      other,
    ]);
});

test.each(['password', randomBytes(16).toString('hex'), randomBytes(31).toString('base64'), ','])(
  'another text than keys is refused without being repeated (%#)',
  (text) => {
    expect(() => parseSecretKeys(text)).toThrow(/^must .*32 bytes/);
    if (text.length > 1) expect(() => parseSecretKeys(text)).not.toThrow(text);
  },
);
