/** What the odometer showed at a time, in milliseconds; one that was imported without a time is older than any. */
export type OdometerReading = { time: number; odometer: number };

/** False while a reading is in doubt, true when the next one agreed with it; null when it never was in doubt. */
export type Confirmed = boolean | null;

/** What the next reading is judged by. */
export type OdometerState = {
  /** The last one that is not in doubt. */
  undoubted?: OdometerReading | undefined;
  /** The last one of all, if it is in doubt. */
  doubted?: OdometerReading | undefined;
};

const maxKmPerHour = 300;
/** Boxes round, and not all alike. */
const toleranceKm = 1;

/** Whether an odometer can have gone from one reading to a later one: it neither falls nor leaps. */
export function canFollow(before: OdometerReading, after: OdometerReading): boolean {
  const km = after.odometer - before.odometer;
  const hours = (after.time - before.time) / 3_600_000;
  return km > -toleranceKm && km <= toleranceKm + maxKmPerHour * hours;
}

export type Judgement = {
  state: OdometerState;
  confirmed: Confirmed;
  /** The reading before, which was in doubt until this one agreed with it. */
  nowConfirmed?: OdometerReading;
};

/**
 * Judges the next reading in the order of time. What is in doubt follows from the readings alone, and not from the order
 * in which they came (docs/decisions/0034-plausible-telemetry.md).
 */
export function judge({ undoubted, doubted }: OdometerState, reading: OdometerReading): Judgement {
  const accepted = { state: { undoubted: reading }, confirmed: null };
  if (undoubted && canFollow(undoubted, reading)) return accepted;
  if (doubted && canFollow(doubted, reading)) return { ...accepted, nowConfirmed: doubted };
  if (!undoubted) return accepted;
  return { state: { undoubted, doubted: reading }, confirmed: false };
}
