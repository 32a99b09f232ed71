import { fieldsOf } from '../../platform/search/field.ts';
import { energyBases, type ReadChargingSession, sources } from './charging-session.ts';

/** What charging sessions can be filtered and sorted by; the last three are not in the history's items. */
export const chargingFields = fieldsOf({
  id: ['text', 's.id'],
  fromDatetime: ['date-time', 's.from_time'],
  fromSoC: ['number', 's.from_level'],
  toDatetime: ['date-time', 's.to_time'],
  location: ['object', 's.lat'],
  'location.latitude': ['number', 's.lat'],
  'location.longitude': ['number', 's.lng'],
  toSoC: ['number', 's.to_level'],
  chargedKWh: ['number', 's.charged_kwh'],
  energyBasis: ['text', 's.energy_basis', { values: energyBases }],
  source: ['text', 's.source', { values: sources }],
  updatedAt: ['date-time', 's.updated_at'],
});

export const chargingColumns =
  's.id, s.version, s.from_time, s.from_level, s.to_time, s.lat, s.lng, s.to_level, s.charged_kwh, s.energy_basis, ' +
  's.source, s.updated_at';

/**
 * In SQL: the item of the history as text, which the service sends as it is. A session that runs has none in its row
 * (docs/decisions/0035-charging-sessions.md).
 */
export const chargingItem =
  'coalesce(s.item, charging_item(s.id, s.from_time, s.from_level, s.to_time, s.lat, s.lng, s.to_level, s.charged_kwh))';

export type ChargingRow = {
  id: string;
  version: number;
  from_time: string;
  from_level: number | null;
  to_time: string | null;
  lat: number | null;
  lng: number | null;
  to_level: number | null;
  charged_kwh: number | null;
  energy_basis: ReadChargingSession['energyBasis'];
  source: ReadChargingSession['source'];
  updated_at: string;
};

export function sessionOf(row: ChargingRow): ReadChargingSession {
  const { lat: latitude, lng: longitude } = row;
  return {
    id: row.id,
    fromDatetime: row.from_time,
    ...(row.from_level !== null && { fromSoC: row.from_level }),
    ...(row.to_time !== null && { toDatetime: row.to_time }),
    ...(latitude !== null && longitude !== null && { location: { latitude, longitude } }),
    ...(row.to_level !== null && { toSoC: row.to_level }),
    ...(row.charged_kwh !== null && { chargedKWh: row.charged_kwh }),
    energyBasis: row.energy_basis,
    source: row.source,
    updatedAt: row.updated_at,
  };
}
