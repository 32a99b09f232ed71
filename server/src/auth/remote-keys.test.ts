import { generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
afterEach(() => {
  vi.useRealTimers();
});

const now = () => Math.floor(Date.now() / 1_000);

type Discovery = (url: string) => unknown;

test.each<[string, Discovery, RegExp]>([
  ['is no JSON', () => '<h1>Welcome</h1>', /JSON/],
  ['names no keys', (url) => ({ issuer: `${url}/realms/DE-ABC` }), /jwks_uri/],
  [
    'names keys at no address',
    (url) => ({ issuer: `${url}/realms/DE-ABC`, jwks_uri: 'keys' }),
    /jwks_uri/,
  ],
  [
    'names keys that anybody on the way can replace',
    (url) => ({ issuer: `${url}/realms/DE-ABC`, jwks_uri: 'http://id.example.com/keys' }),
    /jwks_uri .*http:\/\/id\.example\.com\/keys/,
  ],
  [
    'is that of another issuer',
    (url) => ({ issuer: `${url}/realms/FR-XYZ`, jwks_uri: `${url}/keys` }),
    /issuer .*\/realms\/FR-XYZ/,
  ],
  ['names no issuer', (url) => ({ jwks_uri: `${url}/keys` }), /issuer/],
])(
  'keys of a server whose document %s are 503, and the log tells why',
  async (_, discovery, why) => {
    const { token, publicKeys } = await keysOfTheirOwn();
    await withKeyServer({ keys: publicKeys, discovery }, ({ url }) =>
      withService(url, async (at) => {
        const { status, text } = await findVehicles(at, await token(url));
        expect(status).toBe(503);
        expect(text).not.toMatch(why);
        const reasons = at.log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
        expect(JSON.stringify(reasons)).toMatch(why);
      }),
    );
  },
);

test('keys are good for RS256 alone, also when they do not say so themselves', async () => {
  const { token, publicKeys } = await keysOfTheirOwn();
  await withKeyServer({ keys: publicKeys }, ({ url }) =>
    withService(url, async (at) => {
      for (const [alg, expected] of [
        ['RS256', 200],
        ['PS256', 401],
        ['RS512', 401],
      ] as const) {
        expect((await findVehicles(at, await token(url, alg))).status, alg).toBe(expected);
      }
    }),
  );
});

test('keys that cannot be used verify nothing, and leave the others as they are', async () => {
  const { token, publicKeys } = await keysOfTheirOwn();
  const damaged = await keysOfTheirOwn('damaged');
  const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 });
  const weakJwk = weak.privateKey.export({ format: 'jwk' });
  const keys: JWK[] = [
    { kty: 'RSA', kid: 'damaged', n: '?', e: 'AQAB' },
    { kty: 'RSA', kid: 'damaged' },
    { ...(weak.publicKey.export({ format: 'jwk' }) as JWK), kid: 'weak' },
    ...publicKeys,
  ];
  await withKeyServer({ keys }, ({ url }) =>
    withService(url, async (at) => {
      expect((await findVehicles(at, signedBy(weakJwk, 'weak', url))).status).toBe(401);
      expect((await findVehicles(at, await damaged.token(url))).status).toBe(401);
      expect((await findVehicles(at, await token(url))).status).toBe(200);
    }),
  );
});

test.each([
  ['a usual exponent', 65_537n, 200],
  ['one by which a token takes long to verify', 2n ** 2_000n + 1n, 401],
])('a key with %s', async (_, exponent, status) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const key = withExponent(privateKey.export({ format: 'jwk' }), exponent);
  const { n, e } = key as JWK;
  await withKeyServer({ keys: [{ kty: 'RSA', kid: 'own', n, e } as JWK] }, ({ url }) =>
    withService(url, async (at) => {
      expect((await findVehicles(at, signedBy(key, 'own', url))).status).toBe(status);
    }),
  );
});

test.each<[string, object[], RegExp]>([
  ['more keys than anybody looks through', Array(100).fill({ kty: 'RSA' }), /more than 100 keys/],
  ['more than a list of keys has', Array(5_000).fill({}), /more than 5000 values/],
])('of %s none is used: they are 503, and the log tells why', async (_, others, why) => {
  const { token, publicKeys } = await keysOfTheirOwn();
  await withKeyServer({ keys: [...publicKeys, ...others] }, ({ url }) =>
    withService(url, async (at) => {
      expect((await findVehicles(at, await token(url))).status).toBe(503);
      expect(at.log.join('\n')).toMatch(why);
    }),
  );
});

test('an answer of more than 256 KiB is not read', async () => {
  const { token, publicKeys } = await keysOfTheirOwn();
  const keys = publicKeys.map((key) => ({ ...key, x5c: ['A'.repeat(262_144)] }));
  await withKeyServer({ keys }, ({ url }) =>
    withService(url, async (at) => {
      expect((await findVehicles(at, await token(url))).status).toBe(503);
      expect(at.log.join('\n')).toMatch(/more than 262144 bytes/);
    }),
  );
});

test.each<[string, object]>([
  ['other primes', { oth: [1] }],
  ['operations that are none', { key_ops: 'verify' }],
])('a key with %s is used all the same', async (_, member) => {
  const { token, publicKeys } = await keysOfTheirOwn();
  const keys = publicKeys.map((key) => ({ ...key, ...member }) as JWK);
  await withKeyServer({ keys }, ({ url }) =>
    withService(url, async (at) =>
      expect((await findVehicles(at, await token(url))).status).toBe(200),
    ),
  );
});

test('keys that are withdrawn verify nothing a minute later, not even a token that was accepted', async () => {
  const [withdrawn, other] = [await keysOfTheirOwn(), await keysOfTheirOwn('other')];
  const published = { keys: [...withdrawn.publicKeys, ...other.publicKeys] };
  await withKeyServer(published, ({ url }) =>
    withService(url, async (at) => {
      const status = async (token: string) => (await findVehicles(at, token)).status;
      const [known, kept] = [await withdrawn.token(url), await other.token(url)];
      expect([await status(known), await status(kept)]).toEqual([200, 200]);
      published.keys = other.publicKeys;
      vi.setSystemTime(Date.now() + 60_000);
      expect(await status(known)).toBe(401);
      expect(await status(await withdrawn.token(url))).toBe(401);
      expect(await status(kept)).toBe(200);
    }),
  );
});

test('keys are fetched in the background while they are used, so that no request waits for them', async () => {
  const own = await keysOfTheirOwn();
  const published = { keys: own.publicKeys };
  await withKeyServer(published, (server) =>
    withService(server.url, async (at) => {
      const known = await own.token(server.url);
      const status = async () => (await findVehicles(at, known)).status;
      expect(await status()).toBe(200);
      published.keys = [];
      vi.setSystemTime(Date.now() + 31_000);
      const finish = server.holdAnswers();
      expect(await status()).toBe(200);
      finish();
      await expect.poll(server.keyRequests).toBe(2);
      await expect.poll(status).toBe(401);
    }),
  );
});

test('keys that are replaced under the same name verify nothing that the old one signed', async () => {
  const [old, renewed] = [await keysOfTheirOwn(), await keysOfTheirOwn()];
  const published = { keys: old.publicKeys };
  await withKeyServer(published, ({ url }) =>
    withService(url, async (at) => {
      const known = await old.token(url);
      expect((await findVehicles(at, known)).status).toBe(200);
      published.keys = renewed.publicKeys;
      vi.setSystemTime(Date.now() + 60_000);
      expect((await findVehicles(at, known)).status).toBe(401);
      expect((await findVehicles(at, await renewed.token(url))).status).toBe(200);
    }),
  );
});

test('keys stay good for ten minutes while the server is down, and are 503 after that', async () => {
  const own = await keysOfTheirOwn();
  const published: Published = { keys: own.publicKeys };
  await withKeyServer(published, ({ url }) =>
    withService(url, async (at) => {
      const start = Date.now();
      const known = await own.token(url, 'RS256', { exp: now() + 3_600 });
      const later = await own.token(url, 'RS256', { exp: now() + 3_600, jti: 'later' });
      const statusAt = async (token: string, seconds: number) => {
        vi.setSystemTime(start + seconds * 1_000);
        return (await findVehicles(at, token)).status;
      };
      expect(await statusAt(known, 0)).toBe(200);
      published.discovery = () => '<h1>Down for maintenance</h1>';
      for (const seconds of [61, 300, 590]) {
        expect(await statusAt(known, seconds), `after ${seconds} s`).toBe(200);
        expect(await statusAt(later, seconds), `after ${seconds} s`).toBe(200);
      }
      expect(await statusAt(known, 601)).toBe(503);
      expect(await statusAt(later, 601)).toBe(503);
      delete published.discovery;
      expect(await statusAt(known, 611)).toBe(200);
    }),
  );
});

test('after a failure the server is asked again in a while, however many tokens ask for its keys', async () => {
  const { token, publicKeys } = await keysOfTheirOwn();
  let asked = 0;
  const discovery = () => {
    asked += 1;
    return '<h1>Down for maintenance</h1>';
  };
  await withKeyServer({ keys: publicKeys, discovery }, ({ url }) =>
    withService(url, async (at) => {
      const start = Date.now();
      const known = await token(url);
      const askedBy = async (seconds: number) => {
        vi.setSystemTime(start + seconds * 1_000);
        for (let time = 0; time < 5; time++)
          expect((await findVehicles(at, known)).status).toBe(503);
        return asked;
      };
      expect(await askedBy(0)).toBe(1);
      expect(await askedBy(1)).toBe(2);
      expect(await askedBy(2)).toBe(2);
      expect(await askedBy(3)).toBe(3);
      for (const [index, seconds] of [10, 20, 30, 40].entries())
        expect(await askedBy(seconds)).toBe(4 + index);
    }),
  );
});

test('a server that sends interim answers without end is given up', async () => {
  const { token } = await keysOfTheirOwn();
  const endless = (socket: Socket) => {
    const send = () => {
      while (!socket.destroyed && socket.write('HTTP/1.1 103 E\r\na: b\r\n\r\n'.repeat(100)));
    };
    socket.on('drain', send).on('error', () => socket.destroy());
    socket.once('data', send);
  };
  await withConnections(endless, (url) =>
    withService(url, async (at) => {
      expect((await findVehicles(at, await token(url))).status).toBe(503);
      expect(at.log.join('\n')).toMatch(/sends interim answers without end/);
    }),
  );
});

test.each([
  ['changes the protocol', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
  ['answers nothing', ''],
  ['answers no HTTP', 'nonsense'],
  ['ends within its answer', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'],
])('a server that %s is asked again', async (_, answer) => {
  const { token } = await keysOfTheirOwn();
  let asked = 0;
  const answering = (socket: Socket) => {
    asked += 1;
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  };
  await withConnections(answering, (url) =>
    withService(url, async (at) => {
      for (const seconds of [0, 20]) {
        vi.setSystemTime(Date.now() + seconds * 1_000);
        expect((await findVehicles(at, await token(url))).status).toBe(503);
      }
      expect(asked).toBe(2);
    }),
  );
});

async function withConnections(
  onConnection: (socket: Socket) => void,
  work: (url: string) => Promise<void>,
) {
  const server = createTcpServer(onConnection);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
}

/** A process that trusts the server and has fetched no keys yet. */
async function withService(url: string, work: (service: TestService) => Promise<void>) {
  const service = await startTestService({
    database,
    authIssuer: `${url}/realms/{realm}`,
    authAudience: ['fleet-machine'],
  });
  try {
    await work(service);
  } finally {
    await service.stop();
  }
}

function findVehicles(at: TestService, token: string) {
  return at.send({
    method: 'POST',
    path: '/api/fleets/v1/DE/ABC/vehicles',
    headers: { authorization: `Bearer ${token}` },
  });
}

/** A key pair, and tokens that it signs. */
async function keysOfTheirOwn(kid = 'k') {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  return {
    publicKeys: [{ ...(await exportJWK(publicKey)), kid }],
    token: async (url: string, alg = 'RS256', changed: JWTPayload = {}) =>
      new SignJWT({
        iss: `${url}/realms/DE-ABC`,
        exp: now() + 300,
        jti: crypto.randomUUID(),
        typ: 'Bearer',
        sub: 'service-account-fleet-machine',
        azp: 'fleet-machine',
        ...changed,
      })
        .setProtectedHeader({ alg, kid, typ: 'JWT' })
        .sign(await importJWK(jwk, alg)),
  };
}

/** A token by a key that the library would not sign with. */
function signedBy(key: JsonWebKey, kid: string, url: string): string {
  const parts = [
    { alg: 'RS256', kid },
    {
      iss: `${url}/realms/DE-ABC`,
      exp: now() + 300,
      typ: 'Bearer',
      sub: 'service-account-fleet-machine',
      azp: 'fleet-machine',
    },
  ];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = sign('sha256', Buffer.from(signed.join('.')), { key, format: 'jwk' });
  return [...signed, signature.toString('base64url')].join('.');
}

/** The same key with another public exponent, or the next that it can have. */
function withExponent(key: JsonWebKey, atLeast: bigint): JsonWebKey {
  const [p, q] = [numberOf(key.p), numberOf(key.q)];
  const order = (p - 1n) * (q - 1n);
  let e = atLeast;
  let d = inverseOf(e, order);
  for (; d === undefined; d = inverseOf(e, order)) e += 2n;
  const [dp, dq] = [d % (p - 1n), d % (q - 1n)];
  return { ...key, e: textOf(e), d: textOf(d), dp: textOf(dp), dq: textOf(dq) };
}

function inverseOf(number: bigint, modulus: bigint): bigint | undefined {
  let [previous, rest] = [modulus, number % modulus];
  let [last, next] = [0n, 1n];
  while (rest > 0n) {
    const quotient = previous / rest;
    [previous, rest] = [rest, previous % rest];
    [last, next] = [next, last - quotient * next];
  }
  return previous === 1n ? ((last % modulus) + modulus) % modulus : undefined;
}

function numberOf(text = ''): bigint {
  return BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`);
}

function textOf(number: bigint): string {
  const digits = number.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex').toString(
    'base64url',
  );
}

type Published = { keys: JWK[]; discovery?: Discovery };
type KeyServer = {
  url: string;
  keyRequests(): number;
  /** Leaves requests unanswered until the returned function is called. */
  holdAnswers(): () => void;
};

/** An authorization server that publishes these keys and nothing else; they may change. */
async function withKeyServer(
  published: Published,
  work: (server: KeyServer) => Promise<void>,
): Promise<void> {
  let url = '';
  let keyRequests = 0;
  let released = Promise.resolve();
  const discovery = () =>
    published.discovery?.(url) ?? { issuer: `${url}/realms/DE-ABC`, jwks_uri: `${url}/keys` };
  const server = createServer(async (request, response) => {
    await released;
    const isForKeys = request.url === '/keys';
    if (isForKeys) keyRequests += 1;
    const answer = isForKeys ? { keys: published.keys } : discovery();
    response
      .setHeader('content-type', 'application/json')
      .end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await work({
      url,
      keyRequests: () => keyRequests,
      holdAnswers() {
        const { promise, resolve } = Promise.withResolvers<void>();
        released = promise;
        return resolve;
      },
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
