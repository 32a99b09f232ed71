import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { testCredentials } from '../testing/global-setup.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';
import { createAttemptLimiter } from './attempt-limiter.ts';
import { addClient } from './clients.ts';

let service: TestService;

// A minute of the limits may not pass within a test, however slow the machine.
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  service = await startTestService({ trustProxy: 1 });
});
afterAll(async () => {
  vi.useRealTimers();
  await service.stop();
});

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('the count', () => {
  const target = ['DE-ABC', 'ada', '10.0.0.7'];

  function limitWithClock() {
    let time = 1_000_000;
    const limit = createAttemptLimiter(20, () => time);
    const pass = (seconds: number) => {
      time += seconds * 1_000;
    };
    return { limit, pass };
  }

  test('begins with the first attempt and is forgotten a minute later', () => {
    const { limit, pass } = limitWithClock();
    for (const _ of times(19)) limit.count(target);
    expect(limit.waitSeconds(target)).toBe(0);
    pass(10);
    limit.count(target);
    expect(limit.waitSeconds(target)).toBe(50);
    pass(49.5);
    expect(limit.waitSeconds(target)).toBe(1);
    limit.count(target);
    pass(0.5);
    expect(limit.waitSeconds(target)).toBe(0);
    for (const _ of times(20)) limit.count(target);
    expect(limit.waitSeconds(target)).toBe(60);
  });

  test('is one for each target, wherever its parts begin and end', () => {
    const { limit } = limitWithClock();
    for (const _ of times(20)) limit.count(target);
    for (const other of [
      ['FR-XYZ', 'ada', '10.0.0.7'],
      ['DE-ABC', 'bob', '10.0.0.7'],
      ['DE-ABC', 'ada', '10.0.0.8'],
      ['DE-ABC', 'ada 10.0.0.7'],
      ['DE-ABC ada', '10.0.0.7'],
    ]) {
      expect(limit.waitSeconds(other)).toBe(0);
    }
  });

  test('is not moved by what is reverted', () => {
    const { limit } = limitWithClock();
    for (const _ of times(100)) {
      limit.count(target);
      limit.uncount(target);
    }
    expect(limit.waitSeconds(target)).toBe(0);
    limit.uncount(['nobody']);
    for (const _ of times(20)) limit.count(target);
    expect(limit.waitSeconds(target)).toBe(60);
  });

  test('takes little memory, however many are guessed at and however long their names', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    setFlagsFromString('--no-expose-gc');
    const { limit } = limitWithClock();
    const heap = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = heap();
    for (const _ of times(20)) limit.count(target);
    const name = 'x'.repeat(1_000);
    for (const index of times(60_000)) limit.count([name + index]);
    // 60 MB of names came; what stays is far less than that.
    expect(heap() - before).toBeLessThan(30_000_000);
    // The oldest goes first when there are too many.
    expect(limit.waitSeconds(target)).toBe(0);
  });
});

describe('a token request', () => {
  async function newClient() {
    const { id, secret = '' } = await addClient(service.db, 'DE-ABC', { name: 'A machine' });
    return { clientId: id, clientSecret: secret };
  }
  const guess = (clientId: string, realm = 'DE-ABC') =>
    requestToken(service.url, realm, { clientId, clientSecret: 'a guess' });

  function guessByBasic(encodedId: string) {
    return service.send({
      method: 'POST',
      path: '/realms/DE-ABC/protocol/openid-connect/token',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${btoa(`${encodedId}:a%20guess`)}`,
      },
      body: 'grant_type=client_credentials',
    });
  }

  test.each([
    ['a client', async () => (await newClient()).clientId],
    ['a client that does not exist', async () => 'nobody'],
  ])('that guesses the secret of %s is told to wait from the 21st time on', async (_, idOf) => {
    const clientId = await idOf();
    for (const _time of times(20)) expect((await guess(clientId)).status).toBe(401);
    for (const answer of [await guess(clientId), await guess(clientId)]) {
      expect(answer.status).toBe(429);
      expect(answer.json).toEqual({ error: 'slow_down', error_description: expect.any(String) });
      const wait = Number(answer.headers['retry-after']);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  test('cannot guess on by writing the client’s name in other ways', async () => {
    const { clientId } = await newClient();
    const spellings = times(20).map(
      (index) => clientId.slice(0, index % 8) + percentEncoded(clientId.slice(index % 8)),
    );
    for (const spelling of spellings) expect((await guessByBasic(spelling)).status).toBe(401);
    for (const spelling of [clientId, percentEncoded(clientId), ...spellings.slice(0, 3)]) {
      expect((await guessByBasic(spelling)).status).toBe(429);
    }
    expect((await guess(clientId)).status).toBe(429);
  });

  test('of others is not held up, nor of the same name in another realm', async () => {
    for (const _ of times(21)) await guess(testCredentials.clientId);
    expect((await guess(testCredentials.clientId)).status).toBe(429);
    expect((await guess((await newClient()).clientId)).status).toBe(401);
    expect((await guess(testCredentials.clientId, 'FR-XYZ')).status).toBe(401);
  });

  test('that fails for ever new clients is told to wait, too; one with the right secret is not', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const guessAnew = (index: number) =>
      requestToken(
        service.url,
        'DE-ABC',
        { clientId: `machine-${index}`, clientSecret: 'a guess' },
        from(`2001:db8:9::${index.toString(16)}`),
      );
    const statuses = (await Promise.all(times(100).map(guessAnew))).map(({ status }) => status);
    expect(statuses).toEqual(Array(100).fill(401));
    expect((await guessAnew(100)).status).toBe(429);
    const right = await requestToken(service.url, 'DE-ABC', testCredentials, from('2001:db8:9::1'));
    expect(right.status).toBe(200);
  });

  test('that fails is logged with address, realm and client, but for an id that no client has', async () => {
    service.log.length = 0;
    const { clientId } = await newClient();
    await guess(clientId);
    await guess('a-secret-in-the-wrong-field');
    const logged = service.log
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'token request');
    const attempt = { realm: 'DE-ABC', address: '127.0.0.1', outcome: 'failed' };
    expect(logged).toMatchObject([
      { ...attempt, client: clientId },
      { ...attempt, client: 'unknown' },
    ]);
    expect(service.log.join('')).not.toContain('a-secret-in-the-wrong-field');
  });

  test('with the right secret is answered, whatever was guessed before', async () => {
    const client = await newClient();
    for (const _ of times(21)) await guess(client.clientId);
    expect((await requestToken(service.url, 'DE-ABC', client)).status).toBe(200);
    expect((await guess(client.clientId)).status).toBe(429);
  });

  test('with the right secret may come 300 times in a row', async () => {
    for (const _ of times(30)) {
      const answers = await Promise.all(
        times(10).map(() => requestToken(service.url, 'DE-ABC', testCredentials)),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    }
  });
});

function percentEncoded(text: string): string {
  return Buffer.from(text).toString('hex').replaceAll(/../g, '%$&');
}
