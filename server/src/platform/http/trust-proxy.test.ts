import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { send } from '../../testing/http-client.ts';
import { createServer } from './server.ts';
import { parseTrustProxy } from './trust-proxy.ts';

const started: ReturnType<typeof createServer>[] = [];
afterEach(async () => {
  for (const app of started.splice(0)) await app.close();
});

/** The address that the service takes a client on loopback for, which sends the header. */
async function addressSeen(setting: string, forwardedFor: string): Promise<string> {
  const app = createServer({
    logger: pino({ level: 'silent' }),
    trustProxy: parseTrustProxy(setting),
    secure: false,
    publicUrl: () => 'http://127.0.0.1:8080',
  });
  started.push(app);
  app.get('/', async (request) => ({ address: request.ip }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const { json } = await send(url, { path: '/', headers: { 'x-forwarded-for': forwardedFor } });
  return json.address;
}

const forged = '198.51.100.1, 203.0.113.9, 10.0.0.2';

test.each([
  ['nobody is believed', 'false', forged, '127.0.0.1'],
  ['one proxy says who called it, whatever the client wrote', '1', forged, '10.0.0.2'],
  ['two proxies say who called the first of them', '2', forged, '203.0.113.9'],
  ['only proxies of the networks are believed', '127.0.0.0/8, 10.0.0.0/8', forged, '203.0.113.9'],
  ['a proxy of another network is not believed', '192.0.2.0/24,::1', forged, '127.0.0.1'],
  ['a proxy may add the port of an address', '1', '203.0.113.9:49152', '203.0.113.9'],
  ['and that of an IPv6 address', '1', '198.51.100.1, [2001:db8::7]:49152', '2001:db8::7'],
  ['an IPv6 address may be in brackets', '1', '[2001:db8::7]', '2001:db8::7'],
  ['an IPv6 address without them has no port', '1', '2001:db8::7:4915', '2001:db8::7:4915'],
  [
    'a proxy of the networks may have a port',
    '127.0.0.0/8,10.0.0.0/8',
    '203.0.113.9:1, 10.0.0.2:2',
    '203.0.113.9',
  ],
])('%s', async (_, setting, forwardedFor, address) => {
  expect(await addressSeen(setting, forwardedFor)).toBe(address);
});

test('true is refused, in words that say what to set instead', () => {
  expect(() => parseTrustProxy('true')).toThrow(/number of proxies in front, such as 1/);
});
