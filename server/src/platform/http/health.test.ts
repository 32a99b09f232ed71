import fastify from 'fastify';
import { expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { registerHealth } from './health.ts';
import { registerMetrics, updateMetrics } from './metrics.ts';

test.each(['/health/ready', '/metrics'])(
  'however many ask for %s at a time, the database is asked once',
  async (url) => {
    const asked: (() => void)[] = [];
    const query = () => new Promise((resolve) => asked.push(() => resolve([])));
    const db = { query, forTenant: () => db } as unknown as Database;
    const app = fastify();
    registerHealth(app, db, { stopping: false });
    registerMetrics(app, async () => {
      await updateMetrics(db, [async (given) => void (await given.query('select 1'))]);
      return '';
    });
    const ask = () => Array.from({ length: 20 }, () => app.inject(url));
    for (const round of [1, 2]) {
      const answers = ask();
      await expect.poll(() => asked.length).toBe(round);
      asked.at(-1)?.();
      for (const { statusCode } of await Promise.all(answers)) expect(statusCode).toBe(200);
      expect(asked).toHaveLength(round);
    }
    await app.close();
  },
);
