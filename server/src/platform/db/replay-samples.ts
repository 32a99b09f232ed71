/** The time between two samples is at most this part of their age. */
const precision = 1 / 100;

/** Positions of the primary's log by the time at which they were read: they tell how far a standby is behind. */
export class ReplaySamples {
  #samples: { takenAt: number; position: bigint }[] = [];

  get size(): number {
    return this.#samples.length;
  }

  /** Thins out the older ones, so that they grow by the logarithm of the time while a standby replays nothing. */
  add(takenAt: number, position: bigint): void {
    this.#samples.push({ takenAt, position });
    let kept = Number.NEGATIVE_INFINITY;
    this.#samples = this.#samples.filter((one) => {
      if (one.takenAt - kept < (takenAt - one.takenAt) * precision) return false;
      kept = one.takenAt;
      return true;
    });
  }

  /** When the newest was taken that has been replayed; it and those before are forgotten. */
  takeReplayed(replayed: bigint): number | undefined {
    const newest = this.#samples.findLastIndex(({ position }) => position <= replayed);
    return this.#samples.splice(0, newest + 1).at(-1)?.takenAt;
  }
}
