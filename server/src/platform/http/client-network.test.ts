import { expect, test } from 'vitest';
import { clientNetwork, siteOf } from './client-network.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:0207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', 'unknown'],
  ['192.0.2.7, 10.0.0.1', 'unknown'],
  ['<script>', 'unknown'],
])('%s counts as %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

test.each([
  ['2001:db8:a:1::/64', '2001:db8:a'],
  ['2001:db8:a:ffff::/64', '2001:db8:a'],
  ['2001:db8:b:1::/64', '2001:db8:b'],
  ['192.0.2.7', '192.0.2.7'],
  ['unknown', 'unknown'],
])('the network %s is of the site %s', (network, site) => {
  expect(siteOf(network)).toBe(site);
});
