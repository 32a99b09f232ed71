/** Numbers by name; one that is 0 again takes no memory. */
export type Counts = {
  of(name: string): number;
  add(name: string, change: number): void;
};

export function createCounts(): Counts {
  const counts = new Map<string, number>();
  return {
    of: (name) => counts.get(name) ?? 0,
    add(name, change) {
      const count = (counts.get(name) ?? 0) + change;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    },
  };
}
