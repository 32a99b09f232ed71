import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import { UserError } from '../platform/user-error.ts';
import { requireAcceptablePassword } from './password-rules.ts';

const check = (password: string) =>
  requireAcceptablePassword(password, { provider: 'DE-ABC', username: 'ada.lovelace' });

test.each([
  'correct horse battery',
  'zwölf Zeichen 🚗',
  'tulip-engine-46-marble',
  'Xk4vPq92LmZw',
  'éçü garage window seventeen',
])('%s is accepted', async (password) => {
  await expect(check(password)).resolves.toBeUndefined();
});

test.each([
  ['eleven characters', 'Xk4vPq92LmZ', /at least 12 characters/],
  ['eleven characters outside of the basic plane', '🚗'.repeat(11), /at least 12 characters/],
  ['more than 256 characters', 'tulip engine marble '.repeat(13), /at most 256 characters/],
  ['a common password with digits', 'password1234', /too easy to guess/],
  ['a common password with other letters', 'P@ssw0rd2026', /too easy to guess/],
  ['a season and a year', 'Summer2026!!', /too easy to guess/],
  ['one word of the dictionary', 'supernatural', /too easy to guess/],
  ['a row of the keyboard', 'qwertyuiopas', /too easy to guess/],
  ['a sequence', '123456789012', /too easy to guess/],
  ['one letter', 'x'.repeat(256), /too easy to guess/],
  ['a repeated word', 'testtesttest', /too easy to guess/],
  ['the name of the user', 'ada.lovelace', /too easy to guess/],
  ['the name of the user backwards', 'ecalevol.ada', /too easy to guess/],
  ['the name of the user repeated', 'lovelacelovelace', /too easy to guess/],
  ['the name of the user with a year', 'Lovelace-2026', /too easy to guess/],
  ['the name of the product', 'Motorpool2026!', /too easy to guess/],
])('%s is refused', async (_, password, reason) => {
  const error = await check(password).catch((caught) => caught);
  expect(error).toBeInstanceOf(UserError);
  expect(error.message).toMatch(reason);
  expect(error.message).not.toContain(password);
});

test('common passwords of twelve characters or more are refused', async () => {
  const common = dictionary['passwords-common'].map(String).filter((one) => one.length >= 12);
  expect(common.length).toBeGreaterThan(300);
  // A sample, as each takes a while.
  const sample = common.filter((_, index) => index % 10 === 0);
  const accepted = [];
  for (const password of sample) {
    if (
      await check(password).then(
        () => true,
        () => false,
      )
    )
      accepted.push(password);
  }
  expect(accepted).toEqual([]);
});

test('asset providers take turns, however many passwords of one wait', async () => {
  const done: string[] = [];
  const checkOf = async (provider: string) => {
    await requireAcceptablePassword('correct horse battery', { provider, username: 'ada' });
    done.push(provider);
  };
  const flood = Array.from({ length: 4 }, () => checkOf('DE-ABC'));
  await Promise.all([...flood, checkOf('FR-XYZ')]);
  expect(done).toEqual(['DE-ABC', 'DE-ABC', 'FR-XYZ', 'DE-ABC', 'DE-ABC']);
});
