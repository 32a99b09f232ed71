import { expect, test } from 'vitest';
import { networkList } from '../http/networks.ts';
import { isReachable } from './reachable-address.ts';

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
