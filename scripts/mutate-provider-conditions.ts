import { startVitest } from 'vitest/node';
import { isMarked, markConditions } from '../server/src/testing/contract/provider-conditions.ts';

/**
 * Mutation test: removes each condition on the provider from the SQL of the modules, one at a time, and fails when
 * the contract tests pass without it.
 */
const vitest = await startVitest(
  'test',
  [],
  {
    config: false,
    watch: false,
    include: ['server/src/fleet/provider-conditions.mutation.ts'],
    globalSetup: ['server/src/testing/global-setup.ts'],
    reporters: ['tree'],
    testTimeout: 600_000,
  },
  {
    plugins: [
      {
        name: 'mark-provider-conditions',
        enforce: 'pre',
        transform: (source, path) => (isMarked(path) ? markConditions(path, source) : undefined),
      },
    ],
  },
);
await vitest.close();
