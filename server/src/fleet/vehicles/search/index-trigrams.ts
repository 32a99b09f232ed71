/** Three, as the planner takes the conditions of as many for selective enough to need no other index. */
export type Trigrams = readonly [string, string, string];

/**
 * Three trigrams that every vehicle with these texts has, and few others: the index intersects a list of vehicles for
 * each (docs/decisions/0019-fast-search.md). Undefined where the texts have none.
 */
export function indexTrigrams(texts: readonly string[]): Trigrams | undefined {
  const runs = texts.flatMap(runsOf);
  // Vehicles differ most at the end of a number.
  const number = runs.findLast((run) => run.length >= 5 && /\d/.test(run));
  const trigrams = number ? trigramsOf(number.slice(-7)) : runs.flatMap(trigramsOf);
  const [first] = trigrams;
  const last = trigrams.at(-1);
  const middle = trigrams[(trigrams.length - 1) >> 1];
  return first && middle && last ? [first, middle, last] : undefined;
}

/** As `search_trigrams` does in SQL, but for letters beyond ASCII, which end a run. */
function runsOf(text: string): string[] {
  const folded = text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return folded.replaceAll(/[ -/:-@[-`{-~]/g, '').match(/[a-z0-9]{3,}/g) ?? [];
}

function trigramsOf(run: string): string[] {
  return Array.from({ length: run.length - 2 }, (_, at) => run.slice(at, at + 3));
}
