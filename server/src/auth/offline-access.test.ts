import { expect, test } from 'vitest';
import { withImpliedConsent } from './offline-access.ts';

const path = '/realms/DE-ABC/protocol/openid-connect/auth';

test('who asks for offline access gets the consent, and keeps all parameters', () => {
  const query = 'scope=openid+offline_access&redirect_uri=https://app.example/?page=1&state=a';
  const consented = withImpliedConsent(`${path}?${query}`);
  const { pathname, searchParams } = new URL(consented, 'https://motorpool.example');
  expect(pathname).toBe(path);
  expect(Object.fromEntries(searchParams)).toEqual({
    scope: 'openid offline_access',
    redirect_uri: 'https://app.example/?page=1',
    state: 'a',
    prompt: 'consent',
  });
});

test.each([
  path,
  `${path}?scope=openid`,
  `${path}?scope=openid+offline_access&prompt=login`,
  '/realms/DE-ABC/protocol/openid-connect/token?scope=offline_access',
])('%s stays as it is', (address) => {
  expect(withImpliedConsent(address)).toBe(address);
});
