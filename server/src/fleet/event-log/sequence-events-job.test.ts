import { expect, test } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import type { Dependencies } from '../dependencies.ts';
import { sequenceEventsJob } from './sequence-events-job.ts';

test('a provider whose events cannot be numbered keeps nobody else’s from it', async () => {
  const asked: unknown[] = [];
  const query = async (_text: string, [provider]: unknown[] = []) => {
    if (provider === undefined) return [{ provider: 'DE-ABC' }, { provider: 'FR-XYZ' }];
    asked.push(provider);
    if (provider === 'DE-ABC') throw new Error('canceling statement due to statement timeout');
    return [];
  };
  const db = { query } as unknown as Database;
  const run = sequenceEventsJob.run({}, { db } as unknown as Dependencies & never);
  await expect(run).rejects.toThrow('Some events could not be numbered.');
  expect(asked).toEqual(['DE-ABC', 'FR-XYZ']);
});
