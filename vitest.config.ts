import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongFilesFirst } from './server/src/testing/long-files-first.ts';

export default defineConfig({
  resolve: {
    alias: { '@motorpool/client': join(import.meta.dirname, 'client/src/index.ts') },
  },
  test: {
    include: [
      'server/**/*.test.ts',
      'client/**/*.test.ts',
      'console/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    globalSetup: ['server/src/testing/global-setup.ts'],
    sequence: { sequencer: LongFilesFirst },
    setupFiles: ['server/src/testing/setup-file.ts'],
    // A step may be a process or several, and takes its time on a busy machine.
    testTimeout: 120_000,
    // The records of contract tests are thousands of statements, each of which a coordinator plans.
    hookTimeout: process.env.TEST_CITUS_URL ? 900_000 : 300_000,
    expect: { poll: { timeout: 20_000 } },
    // Files of one worker share the modules, which to load anew for each took a fifth of the time.
    isolate: false,
    // For two cores: two run while the others wait for processes and timers.
    maxWorkers: 4,
  },
});
