const minute = 60_000;
const hour = 60 * minute;

/** The pauses between tries; the last is repeated. */
const pauses = [
  5_000,
  30_000,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
];

/** For so long a message is tried again. */
export const retryPeriodMs = 72 * hour;

/** When to try again after so many tries, a fifth sooner or later, so that many do not come at once. */
export function nextTry(tries: number, now: Date, random = Math.random): Date {
  const pause = pauses[Math.min(tries, pauses.length) - 1] ?? 0;
  return new Date(now.getTime() + pause * (0.8 + 0.4 * random()));
}
