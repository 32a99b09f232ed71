import { expect, test } from 'vitest';
import { startTestService } from '../../testing/test-service.ts';
import { runInBatches } from './run-in-batches.ts';

test('batches that meet the statement timeout are run again with fewer rows, each of which is kept', async () => {
  const service = await startTestService({ statementTimeoutMs: 200 });
  try {
    for (const db of [service.db, service.db.forTenant('DE-ABC', 'search')]) {
      const sizes: number[] = [];
      await runInBatches(1_000, async (size) => {
        sizes.push(size);
        await db.query('select pg_sleep($1)', [size > 10 ? 5 : 0]);
        return sizes.length === 4;
      });
      expect(sizes).toEqual([1_000, 100, 10, 10]);
    }
    const failing = runInBatches(10, async () => {
      await service.db.query('select pg_sleep(5)');
      return true;
    });
    await expect(failing).rejects.toMatchObject({ code: '57014' });
    const other = runInBatches(10, () => Promise.reject(new Error('of another kind')));
    await expect(other).rejects.toThrow('of another kind');
  } finally {
    await service.stop();
  }
});
