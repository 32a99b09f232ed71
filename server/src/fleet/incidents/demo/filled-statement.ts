import type { DemoVehicle } from '../../vehicles/public.ts';
import type { Incident } from '../incident.ts';
import { accidentStatement } from './accident-statement.ts';

/** The accident statement of a vehicle that did not give way, as its driver and the other one have filled it in. */
export function filledStatement({ information }: DemoVehicle, incident: Incident): Promise<Buffer> {
  const { incidentTimestamp = '', location = '' } = incident;
  const [date = '', time = ''] = new Intl.DateTimeFormat('de', {
    timeZone: 'Europe/Berlin',
    dateStyle: 'medium',
    timeStyle: 'short',
  })
    .format(new Date(incidentTimestamp))
    .split(', ');
  return accidentStatement({
    language: 'de',
    date,
    time,
    place: location,
    a: {
      policyholder: 'Example Fleet GmbH',
      address: 'Torstraße 1, Berlin',
      make: `${information.vendor} ${information.model}`,
      licensePlate: information.licensePlate ?? '',
      insurer: 'Beispiel Versicherung',
      policyNumber: 'KH 4711 815',
      driverName: 'Schäfer',
      driverFirstName: 'Jürgen',
      damage: 'Beide Türen rechts',
      remarks: 'Ich habe das andere Fahrzeug zu spät gesehen.',
      circumstances: [17],
    },
    b: {
      policyholder: 'Erika Muster',
      address: 'Am Markt 8, Bonn',
      make: 'Ford Focus',
      licensePlate: 'BN-EM 207',
      insurer: 'Muster Assekuranz',
      policyNumber: 'K 90 331 72',
      driverName: 'Muster',
      driverFirstName: 'Erika',
      damage: 'Stoßfänger vorn',
      remarks: 'Ich kam von rechts und hatte Vorfahrt.',
      circumstances: [16],
    },
  });
}
