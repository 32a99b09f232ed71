import { damagesEach } from './data/records.ts';

const damage = {
  title: 'Scratch on the front door',
  damageType: 'scratch',
  severity: 'light',
  repaired: false,
  position: 'right_front_door_lower',
};

/** An incident with all fields that a client may write. */
export function incidentBody(number: number) {
  return {
    title: `Scraped bollard ${number}`,
    customer: {
      mobilityProviderCountryCode: 'DE',
      mobilityProviderCode: 'MOB',
      customerId: '5f0c7d52-1c7e-4a39-9d0e-3a2c1b4d5e6f',
    },
    vehicleOperable: true,
    incidentTimestamp: '2026-09-14T17:20:00.000Z',
    location: 'Torstraße 1, 10119 Berlin',
    incidentType: 'parking',
    cause: 'Turned in too tightly.',
    notes: 'The garage has a quote.',
    description: 'Touched a bollard at low speed when leaving the car park.',
    isResolved: number % 2 === 0,
    damages: Array.from({ length: damagesEach }, () => damage),
  };
}

/** The parameters of the baseline statement from $4 on. */
export function incidentValues(number: number): unknown[] {
  const { customer, damages, ...incident } = incidentBody(number);
  return [
    incident.title,
    customer.mobilityProviderCountryCode,
    customer.mobilityProviderCode,
    customer.customerId,
    incident.vehicleOperable,
    incident.incidentTimestamp,
    incident.location,
    incident.incidentType,
    incident.cause,
    incident.notes,
    incident.description,
    incident.isResolved,
    JSON.stringify(damages),
  ];
}
