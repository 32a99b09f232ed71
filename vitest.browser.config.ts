import { defineConfig } from 'vitest/config';

/** What other people's libraries do with the service: in a browser, or from a package of their own. */
export default defineConfig({
  test: {
    include: ['server/**/*.browser.ts'],
    globalSetup: ['server/src/testing/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    fileParallelism: false,
  },
});
