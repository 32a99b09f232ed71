/** Of the names that are not known in a request: to look for those that were meant takes its time. */
export const maxSuggestions = 5;

/** What is said of a name that is not known: the known ones, and the one that was probably meant. */
export function unknownName(
  name: string,
  kind: string,
  known: readonly string[],
  alsoKnown: Iterable<string> = known,
): string {
  const list = known.length > 0 ? `known are ${known.join(', ')}` : 'none is expected here';
  return `${JSON.stringify(name)} is not ${kind}: ${list}.${didYouMean(name, alsoKnown)}`;
}

/** A question for the nearest of the known names that begin alike; empty where none is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  let limit = Math.min(3, Math.floor(name.length / 3));
  let nearest: string | undefined;
  const lower = name.toLowerCase();
  for (const one of known) {
    if (Math.abs(one.length - name.length) > limit) continue;
    if (one[0]?.toLowerCase() !== lower[0]) continue;
    const distance = editDistance(lower, one.toLowerCase(), limit);
    if (distance > limit) continue;
    nearest = one;
    limit = distance - 1;
  }
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** How many characters are added, left out or replaced; of more than the limit, that they are more. */
function editDistance(a: string, b: string, limit: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const distance = Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      row.push(distance);
      least = Math.min(least, distance);
    }
    if (least > limit) return least;
  }
  return row[b.length] ?? 0;
}
