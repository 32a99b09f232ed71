import type { DemoVehicle } from '../../vehicles/public.ts';
import type { Incident } from '../incident.ts';

type Damage = NonNullable<Incident['damages']>[number];

/** A damage in one line; the last word stands there when it is mended. */
type Hit = readonly [
  position: Damage['position'],
  damageType: string,
  severity: Damage['severity'],
  title: string,
  repaired?: 'repaired',
];

/** What happened, told for any vehicle that it could happen to. */
export type Story = {
  title: string;
  daysAgo: number;
  incidentType: string;
  cause: string;
  description: string;
  notes?: string;
  operable: boolean;
  resolved: boolean;
  hits: readonly Hit[];
  needs?: Need;
  /** Nobody was at the wheel, or nobody owns up to it. */
  unattended?: true;
  /** The papers were typed in by a person. */
  typedIn?: true;
  /** It happened to the vehicle of the story before it. */
  sameVehicle?: true;
};

/** Rear doors and rear seats; a diesel engine; a plug; a van. */
type Need = 'rear doors' | 'diesel' | 'plug' | 'van';

export function suits({ model, isVan }: DemoVehicle, need: Need | undefined): boolean {
  switch (need) {
    case 'rear doors':
      return model.seats >= 5;
    case 'diesel':
      return model.drive === 'diesel';
    case 'plug':
      return model.batteryKwh !== undefined;
    case 'van':
      return isVan;
    case undefined:
      return true;
  }
}
