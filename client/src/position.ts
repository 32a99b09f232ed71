/** Up to where a client has written, in the notation of PostgreSQL's log: `16/B374D848`. */
export const positionHeader = 'Motorpool-Position';

/** Answers of writes at a time come in any order. */
export function laterPosition(one: string | undefined, other: string | undefined) {
  if (one === undefined || other === undefined) return one ?? other;
  const [high, low] = partsOf(one);
  const [otherHigh, otherLow] = partsOf(other);
  return high > otherHigh || (high === otherHigh && low > otherLow) ? one : other;
}

function partsOf(position: string): [high: number, low: number] {
  const [high = '', low = ''] = position.split('/');
  return [Number.parseInt(high, 16), Number.parseInt(low, 16)];
}
