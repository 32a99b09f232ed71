/** Caches the result of a function for each argument object, for as long as the object lives. */
export function memoizeByIdentity<Key extends object, Value>(compute: (key: Key) => Value) {
  const cache = new WeakMap<Key, Value>();
  return (key: Key): Value => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const value = compute(key);
    cache.set(key, value);
    return value;
  };
}
