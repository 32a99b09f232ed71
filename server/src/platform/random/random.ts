export type Random = {
  /** A number in [0, 1). */
  next: () => number;
  between: (min: number, max: number) => number;
  /** A whole number from min to max, both included. */
  integer: (min: number, max: number) => number;
  chance: (probability: number) => boolean;
  pick: <Item>(items: readonly Item[]) => Item;
  weighted: <Item extends { weight: number }>(items: readonly Item[]) => Item;
};

/**
 * The same seed text always gives the same sequence. Every aspect of every vehicle takes a
 * sequence of its own, so a vehicle or a rule added later leaves all others as they were.
 */
export function randomFor(seed: string): Random {
  const next = mulberry32(fnv1a(seed));
  const between = (min: number, max: number) => min + next() * (max - min);
  const integer = (min: number, max: number) => Math.floor(between(min, max + 1));

  return {
    next,
    between,
    integer,
    chance: (probability) => next() < probability,
    pick: (items) => itemAt(items, integer(0, items.length - 1)),
    weighted: (items) => {
      const total = items.reduce((sum, item) => sum + item.weight, 0);
      const target = next() * total;
      let reached = 0;
      const index = items.findIndex((item) => {
        reached += item.weight;
        return reached > target;
      });
      return itemAt(items, index);
    },
  };
}

function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) {
    throw new RangeError(`No item ${index} among ${items.length}`);
  }
  return item;
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}
