import type { Vehicle } from '@motorpool/client';
export function MapTab(_: { vehicle: Vehicle }) {
  return null;
}
