import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { networkList } from '../http/networks.ts';
import { isReachable, reachableLookup, UnreachableAddress } from './reachable-address.ts';

const none = networkList([]);

test.each([
  '127.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '198.19.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::127.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2002:a00:1::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
])('nothing is sent to %s', (address) => {
  expect(isReachable(address, none)).toBe(false);
});

test.each([
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
  '2a00:1450::1',
])('%s is public', (address) => {
  expect(isReachable(address, none)).toBe(true);
});

test('the operator allows networks, and no others', () => {
  const allowed = networkList(['127.0.0.0/8', 'fd00::/8']);
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', 'fd12::1'])
    expect(isReachable(address, allowed)).toBe(true);
  for (const address of ['10.0.0.1', '::1', 'fe80::1'])
    expect(isReachable(address, allowed)).toBe(false);
});

/** A name server that answers with 192.0.2.1, 20 times for names that begin with `many`, and not at all for those with `slow`. */
async function startNameServer(): Promise<Resolver> {
  const server = createSocket('udp4', (query, { port, address }) => {
    if (query.includes('slow')) return;
    if (query.includes('unknown')) {
      const refusal = Buffer.from(query);
      // NXDOMAIN.
      refusal.writeUInt16BE(0x8183, 2);
      server.send(refusal, port, address);
      return;
    }
    const isFour = query.readUInt16BE(query.indexOf(0, 12) + 1) === 1;
    const answer = Buffer.from(query.subarray(0, query.indexOf(0, 12) + 5));
    answer.writeUInt16BE(0x8180, 2);
    const records = !isFour ? 0 : query.includes('many') ? 20 : 1;
    answer.writeUInt16BE(records, 6);
    answer.writeUInt16BE(0, 10);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1]);
    server.send(Buffer.concat([answer, ...Array(records).fill(record)]), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  onTestFinished(() => {
    resolver.cancel();
    server.close();
  });
  return resolver;
}

test('names whose servers do not answer hold up no others', async () => {
  const lookup = reachableLookup(() => true, { resolver: await startNameServer() });
  let slow = 0;
  for (let index = 0; index < 20; index += 1)
    lookup(`slow${index}.example.com`, { all: true }, () => {
      slow += 1;
    });
  const found = await new Promise((resolve, reject) => {
    lookup('quick.example.com', { all: true }, (error, addresses) =>
      error ? reject(error) : resolve(addresses),
    );
  });
  expect(found).toEqual([{ address: '192.0.2.1', family: 4 }]);
  expect(slow).toBe(0);
});

test('a name is resolved to what may be reached alone', async () => {
  const lookup = reachableLookup(() => false, { resolver: await startNameServer() });
  const errorOf = (name: string) => new Promise((resolve) => lookup(name, {}, resolve));
  expect(await errorOf('quick.example.com')).toEqual(new UnreachableAddress('quick.example.com'));
  // Whether there is a name in the operator's network is not told.
  const unknown = 'unknown.example.com';
  expect(await errorOf(unknown)).toEqual(new UnreachableAddress(unknown));
});

test('of a name with many addresses a few are tried, and all count', async () => {
  const charged: number[] = [];
  const lookup = reachableLookup(() => true, {
    resolver: await startNameServer(),
    runLookup: (work) => work((milliseconds) => charged.push(milliseconds)),
  });
  const found = await new Promise((resolve) =>
    lookup('many.example.com', { all: true }, (_, addresses) => resolve(addresses)),
  );
  expect(found).toHaveLength(4);
  expect(charged).toEqual([0.5 + 20 * 0.02]);
});

test('a name is not asked for after whoever waited for it has given up', async () => {
  const signal = AbortSignal.abort(new Error('given up'));
  const lookup = reachableLookup(() => true, { resolver: await startNameServer(), signal });
  const error = await new Promise((resolve) => lookup('quick.example.com', {}, resolve));
  expect(error).toEqual(new Error('given up'));
});
