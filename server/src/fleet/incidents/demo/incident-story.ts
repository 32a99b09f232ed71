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
  place: Place;
  /** The months in which it happens, January being 1; in any where absent. */
  months?: readonly number[];
  atDusk?: true;
  /** Nobody was at the wheel, or nobody owns up to it. */
  unattended?: true;
  /** The papers were typed in by a person. */
  typedIn?: true;
  /** The drivers have filled in an accident statement, which the service reads: nobody has typed in what it says. */
  stated?: true;
  /** It happened to the vehicle of the story before it. */
  sameVehicle?: true;
};

/** Where it happened. */
export type Place =
  | 'street'
  | 'motorway'
  | 'country road'
  | 'car park'
  | 'supermarket car park'
  | 'garage'
  | 'yard'
  | 'building site'
  | 'loading ramp'
  | 'petrol station';

/** Rear doors and rear seats, a glass roof besides; an engine, one for diesel; a plug at the left rear; a van or none. */
type Need =
  | 'rear doors'
  | 'glass roof'
  | 'engine'
  | 'diesel'
  | 'plug at the left rear'
  | 'van'
  | 'no van';

export function suits({ model, isVan }: DemoVehicle, need: Need | undefined): boolean {
  switch (need) {
    case 'rear doors':
      return model.seats >= 5;
    case 'glass roof':
      return model.seats >= 5 && model.role === 'sales';
    case 'engine':
      return model.tankLitres !== undefined;
    case 'diesel':
      return model.drive === 'diesel';
    case 'plug at the left rear':
      return (
        /Tesla|Corsa|208|ë-C4/.test(`${model.vendor} ${model.model}`) && model.drive === 'battery'
      );
    case 'van':
      return isVan;
    case 'no van':
      return !isVan;
    case undefined:
      return true;
  }
}
