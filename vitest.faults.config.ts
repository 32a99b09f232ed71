import { defineConfig } from 'vitest/config';
import { FaultReporter } from './server/src/faults/fault-reporter.ts';

/** What holds under faults and abuse, measured or repeated: takes an hour or more, and wants a machine that is otherwise idle. */
export default defineConfig({
  test: {
    include: ['server/**/*.faults.ts', 'server/**/crash-safety.test.ts'],
    env: { KILL_ROUNDS: process.env.KILL_ROUNDS ?? '30' },
    globalSetup: ['server/src/faults/scheduling.ts', 'server/src/testing/global-setup.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['dot', new FaultReporter()],
    // Node strips types itself, faster than Vite transforms hundreds of files.
    server: { deps: { external: [/\/server\/src\/(?!.*\.(faults|test)\.ts)/] } },
    // One at a time: each measures.
    fileParallelism: false,
    disableConsoleIntercept: true,
  },
});
