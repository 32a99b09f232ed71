import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['server/src/testing/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // For two cores: one runs while another waits for processes and timers.
    maxWorkers: 3,
  },
});
