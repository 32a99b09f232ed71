import { escapeLike } from '../../../platform/search/text-sql.ts';

/**
 * A pattern that every line with the text matches, and few others, by as few trigrams as possible: the index
 * intersects a list of vehicles for each (docs/decisions/0019-fast-search.md).
 */
export function indexPattern(text: string): string {
  // What a letter of another script becomes in lower case may depend on its neighbours.
  const isPlain = /^[ -~]*$/.test(text);
  const runs = text.match(/[a-z0-9]{3,}/gi) ?? [];
  return isPlain && runs.some(isNumber)
    ? `%${runs.map(thinned).join('%')}%`
    : `%${escapeLike(text)}%`;
}

/** Three trigrams of a number are selective enough: hardly another vehicle has them all. */
function isNumber(run: string): boolean {
  return run.length >= 5 && /\d/.test(run);
}

/** Three trigrams of the end of a run, where vehicles differ. */
function thinned(run: string): string {
  return run.length < 7 ? run : `${run.slice(-7, -4)}%${run.slice(-4)}`;
}
