import { expect, test } from 'vitest';
import type { Queryable } from '../../platform/db/database.ts';
import type { RealmRequest } from '../realm-route.ts';
import { knownDevice, userOfDevice } from './known-device.ts';
import type { SignInKey } from './sign-in-key.ts';

/** A key that takes one signature for right, and counts what it is asked. */
function countingKey() {
  let verified = 0;
  const key: SignInKey = {
    hash: () => Buffer.alloc(32),
    sign: () => 'A'.repeat(43),
    isSigned: (_parts, signature) => {
      verified += 1;
      return signature === 'right';
    },
  };
  return { key, verified: () => verified };
}

/** Of a user whose state is that of the cookies. */
const db = {
  query: async () => [{ id: 'one', username: 'anna', version: 1 }],
} as unknown as Queryable;

const request = (...cookies: string[]) =>
  ({
    params: { realm: 'DE-ABC' },
    headers: { cookie: cookies.join('; ') },
  }) as unknown as RealmRequest;
const device = (name: string, signature: string) =>
  `device_${name}=id.${Math.floor(Date.now() / 1_000)}.${'A'.repeat(16)}.${signature}`;

test.each([
  ['malformed', () => 'device_'],
  ['forged', (index: number) => device(`x${index}`, 'wrong')],
])('of thousands of %s cookies, a few are verified', async (_name, cookie) => {
  const sent = request(...Array.from({ length: 2_000 }, (_, index) => cookie(index)));
  const { key, verified } = countingKey();
  expect(userOfDevice(key, sent)).toBeUndefined();
  expect(await knownDevice(db, key, sent, 'anna')).toBeUndefined();
  expect(verified()).toBeLessThanOrEqual(10);
});

test('the device of a user is found among those of others', async () => {
  const { key } = countingKey();
  const mine = device('A'.repeat(16), 'right');
  const others = Array.from({ length: 9 }, (_, index) => device(`x${index}`, 'wrong'));
  const sent = request('theme=dark', ...others, mine);
  expect(await knownDevice(db, key, sent, 'anna')).toBe('id');
  expect(userOfDevice(key, sent)).toBe(`device_${'A'.repeat(16)} ${'A'.repeat(16)}`);
});
