import { demoProviders } from '../demo/providers.ts';
import type { DemoScope } from '../fleet/demo-context.ts';

/** What the demo of one country is made from, at a moment of the test's. */
export function demoScope(countryCode: 'DE' | 'FR', now: Date): DemoScope {
  const found = demoProviders.find(({ provider }) => provider.countryCode === countryCode);
  if (!found) throw new RangeError(`The demo has no provider in ${countryCode}`);
  return { ...found, clock: { now: () => now } };
}
