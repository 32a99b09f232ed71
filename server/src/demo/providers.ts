import type { DemoScope } from '../fleet/demo-context.ts';

type DemoProvider = Pick<DemoScope, 'provider' | 'extent'> & { name: string };

export const demoProviders: readonly DemoProvider[] = [
  {
    provider: { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' },
    name: 'Demo fleet Germany',
    extent: 'rich',
  },
  {
    provider: { id: 'FR-XYZ', countryCode: 'FR', code: 'XYZ' },
    name: 'Demo fleet France',
    extent: 'small',
  },
];
