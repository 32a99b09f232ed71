import { expect, test } from 'vitest';
import type { Queryable } from '../../platform/db/database.ts';
import { turnsOf } from '../../testing/turns-of.ts';
import { filesAtOnce, withBlobs } from './blob-store.ts';

const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };

test('other requests run while the files of a page are given to their entries', async () => {
  const entries = Array.from({ length: 10 }, (_, index) => ({ id: `${index}` }));
  const rows = Array.from({ length: 10 * filesAtOnce }, (_, index) => ({
    entry_id: `${index % 10}`,
    uuid: `${index}`,
    filename: 'a.pdf',
    uploaded: false,
  }));
  const db = { query: async () => rows } as unknown as Queryable;
  const found = withBlobs(db, provider, 'incidents', entries);
  expect(await turnsOf(found)).toBeGreaterThanOrEqual(10);
  for (const { id, blobs } of await found) {
    expect(blobs).toHaveLength(filesAtOnce);
    expect(blobs?.[0]).toEqual({ uuid: id, filename: 'a.pdf', uploaded: false });
  }
});
