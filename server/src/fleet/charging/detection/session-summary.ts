import type { Session } from './session-detector.ts';

/** A session as it is returned. A running one has no end, and what it charged so far. */
export type SessionSummary = {
  from: number;
  fromLevel?: number;
  to?: number;
  toLevel?: number;
  location?: { lat: number; lng: number };
  chargedKwh?: number;
  energyBasis: 'measured' | 'estimated';
};

export function summaryOf(session: Session, capacityKwh: number | undefined): SessionSummary {
  const { from, location, pause } = session;
  const { fromLevel, level, meteredKwh } = pause ?? session;
  const chargedKwh = meteredKwh ?? estimateOf(fromLevel, level, capacityKwh);
  return {
    from,
    fromLevel,
    to: pause?.time,
    toLevel: pause?.level,
    location: location && { lat: location.lat, lng: location.lng },
    // To the watt-hour.
    chargedKwh: chargedKwh === undefined ? undefined : Number(chargedKwh.toFixed(3)),
    energyBasis: meteredKwh === undefined ? 'estimated' : 'measured',
  };
}

function estimateOf(
  from: number | undefined,
  to: number | undefined,
  capacityKwh: number | undefined,
): number | undefined {
  if (from === undefined || to === undefined || capacityKwh === undefined) return undefined;
  return (Math.max(0, to - from) / 100) * capacityKwh;
}
