const HOUR_MS = 3_600_000;

/** How the energy in a battery grows at a charger. */
export type ChargeCurve = {
  /** The energy after a duration. */
  kwhAfter(ms: number): number;
  /** The duration until an energy is reached. */
  msUntil(kwh: number): number;
};

/** Constant power, as of a wallbox. */
export function steady(fromKwh: number, kw: number): ChargeCurve {
  return {
    kwhAfter: (ms) => fromKwh + (kw * ms) / HOUR_MS,
    msUntil: (kwh) => ((kwh - fromKwh) / kw) * HOUR_MS,
  };
}

const taperFrom = 0.8;
const taperTowards = 1.02;

/** Full power up to 80 % of the capacity, then decaying, as of a fast charger. */
export function tapering(fromKwh: number, kw: number, capacityKwh: number): ChargeCurve {
  const taperStart = taperFrom * capacityKwh;
  const fast = steady(fromKwh, kw);
  const decayStart = Math.max(fromKwh, taperStart);
  const limit = taperTowards * capacityKwh;
  // Above 80 %, the power is proportional to the energy that is missing.
  const hours = (limit - taperStart) / kw;
  const fastMs = Math.max(0, fast.msUntil(decayStart));
  return {
    kwhAfter: (ms) =>
      ms <= fastMs
        ? fast.kwhAfter(ms)
        : limit - (limit - decayStart) * Math.exp(-(ms - fastMs) / (hours * HOUR_MS)),
    msUntil: (kwh) =>
      kwh <= decayStart
        ? fast.msUntil(kwh)
        : fastMs + Math.log((limit - decayStart) / (limit - kwh)) * hours * HOUR_MS,
  };
}
