import { expect, test } from 'vitest';
import { matchingStep, otpauthUri, stepAt, toBase32, totpCode } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

// RFC 6238, appendix B, of which six digits are shown.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at %i s is %s', (seconds, code) => {
  expect(totpCode(secret, stepAt(seconds * 1_000))).toBe(code);
  expect(matchingStep(secret, code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
});

test('a code is good one step early and late, and no more', () => {
  const time = 1_111_111_109_000;
  const step = stepAt(time);
  const found = [-2, -1, 0, 1, 2].map((offset) =>
    matchingStep(secret, totpCode(secret, step + offset), time),
  );
  expect(found).toEqual([undefined, step - 1, step, step + 1, undefined]);
});

test('what is no code matches nothing', () => {
  for (const code of ['', '28708', '2870822', '٢٨٧٠٨٢', ' 287082', '000000'])
    expect(matchingStep(secret, code, 59_000)).toBeUndefined();
});

// RFC 4648, section 10, without padding.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foobar', 'MZXW6YTBOI'],
])('%j is %j in base 32', (text, encoded) => {
  expect(toBase32(Buffer.from(text))).toBe(encoded);
});

test('the address for the app names the realm and the user', () => {
  expect(otpauthUri(secret, 'Motorpool DE-ABC', 'ada@example.com')).toBe(
    'otpauth://totp/Motorpool%20DE-ABC:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Motorpool%20DE-ABC&algorithm=SHA1&digits=6&period=30',
  );
});
