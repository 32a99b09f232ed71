import { defineConfig } from 'orval';

export default defineConfig({
  motorpool: {
    input: '.generated/openapi.json',
    output: {
      target: '.generated/orval/client.ts',
      client: 'fetch',
      baseUrl: { runtime: 'process.env.MOTORPOOL_URL' },
    },
  },
});
