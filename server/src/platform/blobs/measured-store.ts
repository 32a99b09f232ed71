import { Counter } from 'prom-client';
import { metrics } from '../metrics.ts';
import { type BlobStore, NoSuchBlob } from './blob-store.ts';

const failures = new Counter({
  name: 'motorpool_blob_store_errors_total',
  help: 'Calls of the store of files that failed',
  labelNames: ['operation'],
  registers: [metrics],
});
for (const operation of ['put', 'get', 'delete']) failures.inc({ operation }, 0);

/** Counts the failures of a store: not keys that it does not have, nor uploads that a client has broken off. */
export function measuredStore(store: BlobStore): BlobStore {
  const counting = (operation: string) => (error: unknown) => {
    if (!(error instanceof NoSuchBlob)) failures.inc({ operation });
    throw error;
  };
  return {
    put: (key, bytes) =>
      store.put(key, bytes).catch((error) => {
        if (bytes.errored === error) throw error;
        return counting('put')(error);
      }),
    get: (key, range) => store.get(key, range).catch(counting('get')),
    getWhole: (key) => store.getWhole(key).catch(counting('get')),
    delete: (key) => store.delete(key).catch(counting('delete')),
  };
}
