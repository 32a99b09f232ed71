/** Bounds an LRU cache by its number of entries. Its own `max` would allocate the memory of all of them at once. */
export function atMost(entries: number) {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
