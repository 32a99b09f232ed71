const HOUR_MS = 3_600_000;

/** How the charge of a battery grows at a charger, from what is in it. */
export type ChargeCurve = {
  /** What is in the battery after so many milliseconds. */
  kwhAfter(ms: number): number;
  /** How long it takes until so much is in it. */
  msUntil(kwh: number): number;
};

/** A wallbox gives the same all the time. */
export function steady(fromKwh: number, kw: number): ChargeCurve {
  return {
    kwhAfter: (ms) => fromKwh + (kw * ms) / HOUR_MS,
    msUntil: (kwh) => ((kwh - fromKwh) / kw) * HOUR_MS,
  };
}

const taperFrom = 0.8;
const taperTowards = 1.02;

/** A fast charger gives all it can up to four fifths, and then less and less. */
export function tapering(fromKwh: number, kw: number, capacityKwh: number): ChargeCurve {
  const full = taperFrom * capacityKwh;
  const fast = steady(fromKwh, kw);
  const begin = Math.max(fromKwh, full);
  const limit = taperTowards * capacityKwh;
  // The power falls with what is missing, from all of it at four fifths.
  const hours = (limit - full) / kw;
  const fastMs = Math.max(0, fast.msUntil(begin));
  return {
    kwhAfter: (ms) =>
      ms <= fastMs
        ? fast.kwhAfter(ms)
        : limit - (limit - begin) * Math.exp(-(ms - fastMs) / (hours * HOUR_MS)),
    msUntil: (kwh) =>
      kwh <= begin
        ? fast.msUntil(kwh)
        : fastMs + Math.log((limit - begin) / (limit - kwh)) * hours * HOUR_MS,
  };
}
