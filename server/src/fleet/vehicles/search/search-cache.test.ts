import { expect, test } from 'vitest';
import { createSearchCache } from './search-cache.ts';

const found = (ids: number) => ({
  version: '1',
  total: ids,
  ids: Array.from({ length: ids }, (_, id) => String(id)),
});

async function register(cache: ReturnType<typeof createSearchCache>, key: string, ids: number) {
  const [provider = ''] = key.split(' ');
  cache.register(provider, key, Promise.resolve(found(ids)));
  await cache.running(key);
}

test('a full cache drops what the provider with the most in it has used least', async () => {
  const cache = createSearchCache(1_000);
  await register(cache, 'small 1', 10);
  for (let number = 0; number < 50; number++) await register(cache, `large ${number}`, 100);
  expect(cache.get('small', 'small 1')).toEqual(found(10));
  expect(cache.get('large', 'large 49')).toEqual(found(100));
  expect(cache.get('large', 'large 0')).toBeUndefined();
});

test('many providers share the cache, and the oldest of equals gives way', async () => {
  const cache = createSearchCache(1_000);
  for (let number = 0; number < 50; number++) await register(cache, `p${number} 1`, 95);
  const kept = Array.from({ length: 50 }, (_, number) => cache.has(`p${number}`, `p${number} 1`));
  expect(kept.filter(Boolean)).toHaveLength(10);
  expect(kept.at(-1)).toBe(true);
});

test('a search that is registered again replaces its result', async () => {
  const cache = createSearchCache(1_000);
  await register(cache, 'a 1', 900);
  await register(cache, 'a 1', 10);
  await register(cache, 'b 1', 900);
  expect(cache.get('a', 'a 1')).toEqual(found(10));
  expect(cache.get('b', 'b 1')).toEqual(found(900));
});

test('long keys count as well, so that searches without ids do not fill the memory', async () => {
  const cache = createSearchCache(1_000);
  const keys = Array.from({ length: 50 }, (_, number) => `a ${number}${'x'.repeat(1_900)}`);
  for (const key of keys) await register(cache, key, 0);
  expect(keys.filter((key) => cache.has('a', key))).toEqual(keys.slice(-10));
});
