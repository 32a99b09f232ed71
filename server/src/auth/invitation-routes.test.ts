import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { inviteUser } from './user-accounts.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const path = '/realms/DE-ABC/invitation';
const post = (fields: Record<string, string>) =>
  service.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });

test('the page runs its own script alone, and is neither stored nor framed', async () => {
  const { status, headers, text } = await service.send({ path });
  expect(status).toBe(200);
  const [script = '', ...others] = [...text.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, source]) => source ?? '',
  );
  expect(others).toEqual([]);
  const policy = String(headers['content-security-policy']);
  const hash = createHash('sha256').update(script).digest('base64');
  expect(policy).toContain(`script-src 'sha256-${hash}';`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['referrer-policy']).toBe('no-referrer');
});

test('the form for the password has no script, and escapes what was sent', async () => {
  const { token } = await inviteUser(service.db, 'DE-ABC', 'anna', {});
  const { status, text } = await post({ token });
  expect(status).toBe(200);
  expect(text).not.toContain('<script');
  const forged = await post({ token: '"><script>alert(1)</script>' });
  expect([forged.status, forged.text.includes('<script')]).toEqual([404, false]);
});

test('a token that nobody has is 404, whatever it is', async () => {
  for (const token of ['', '\0', 'x'.repeat(5_000), 'null', '__proto__']) {
    const { status, text } = await post({ token, password: 'x', repeated: 'x' });
    expect([status, text]).toEqual([404, expect.stringContaining('This link is not valid')]);
  }
  expect((await post({})).status).toBe(404);
});

test('few passwords are set at a time, also by one link, so that sign-ins do not wait for them', async () => {
  const { token } = await inviteUser(service.db, 'DE-ABC', 'ben', {});
  const password = 'nine otters cross the river';
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => post({ token, password, repeated: password })),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(7);
  expect(answers.find(({ status }) => status === 429)?.headers['retry-after']).toBe('2');
});

test('only GET and POST are answered, and only in realms that exist', async () => {
  expect((await service.send({ method: 'PUT', path })).status).toBe(405);
  expect((await service.send({ path: '/realms/DE-ZZZ/invitation' })).status).toBe(404);
  const external = await startTestService({
    database: service.database,
    authIssuer: `${service.url}/realms/{realm}`,
    authAudience: ['demo-client'],
  });
  expect((await external.send({ path })).status).toBe(404);
  await external.stop();
});
