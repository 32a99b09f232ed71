import { meteredKwh } from './metering.ts';
import type { Session } from './session.ts';

/** A session as it is returned. A running one has no end, and what it charged so far. */
export type SessionSummary = {
  from: number;
  fromLevel?: number;
  to?: number;
  toLevel?: number;
  location?: { lat: number; lng: number } | undefined;
  chargedKwh?: number;
  energyBasis: 'measured' | 'estimated' | 'mixed';
};

export function summaryOf(session: Session, capacityKwh: number | undefined): SessionSummary {
  const { from, location, pause } = session;
  const { kwh, basis } = energyOf(session, capacityKwh);
  return {
    from,
    fromLevel: (pause ?? session).fromLevel,
    to: pause?.time,
    toLevel: pause?.level,
    location: location && { lat: location.lat, lng: location.lng },
    // To the watt-hour.
    chargedKwh: kwh === undefined ? undefined : Number(kwh.toFixed(3)),
    energyBasis: basis,
  };
}

type Energy = { kwh: number | undefined; basis: SessionSummary['energyBasis'] };

/** What the meter counted, and an estimate of what was charged before its first and after its last reading. */
function energyOf(session: Session, capacityKwh: number | undefined): Energy {
  const { fromLevel, level, metering } = session.pause ?? session;
  // One reading alone counts nothing.
  if (!metering || metering.to === metering.from) {
    return { kwh: estimateOf(fromLevel, level, capacityKwh), basis: 'estimated' };
  }
  const counted = meteredKwh(metering);
  const unmeteredMs = Math.max(0, metering.from - session.from);
  const before =
    unmeteredMs === 0
      ? 0
      : (unmetered(fromLevel, metering.fromLevel, capacityKwh) ??
        atSamePower(counted, metering.to - metering.from, unmeteredMs));
  const after = unmetered(metering.toLevel, level, capacityKwh) ?? 0;
  const kwh = Math.min(counted + before + after, Number.MAX_VALUE);
  return { kwh, basis: before + after > 0 ? 'mixed' : 'measured' };
}

// The level may be a point off, and the signals of one moment may come in several messages.
const negligible = { points: 1, ms: 300_000 };

function unmetered(
  from: number | undefined,
  to: number | undefined,
  capacityKwh: number | undefined,
): number | undefined {
  const estimate = estimateOf(from, to, capacityKwh);
  if (estimate === undefined) return undefined;
  return (to ?? 0) - (from ?? 0) > negligible.points ? estimate : 0;
}

function atSamePower(kwh: number, ms: number, unmeteredMs: number): number {
  return unmeteredMs > negligible.ms ? (kwh / ms) * unmeteredMs : 0;
}

function estimateOf(
  from: number | undefined,
  to: number | undefined,
  capacityKwh: number | undefined,
): number | undefined {
  if (from === undefined || to === undefined || capacityKwh === undefined) return undefined;
  return (Math.max(0, to - from) / 100) * capacityKwh;
}
