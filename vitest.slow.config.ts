import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** What costs most of all tests: the program as processes that start, end and are killed, and the recognition of text. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['server/**/*.slow.ts'] },
});
