import type { Vehicle } from './vehicle.ts';

/** The vehicle that stands in the documentation. */
export const exampleVehicle: Vehicle = {
  asset: {
    id: 'DE*ABC*V0001',
    assetProviderCountryCode: 'DE',
    assetProviderCode: 'ABC',
    active: true,
  },
  information: {
    vin: 'WVWZZZE1ZNP012345',
    vendor: 'VW',
    model: 'ID.3',
    variant: 'Pro S 77 kWh',
    licensePlate: 'B-MP 123E',
    seats: 5,
    firstRegistrationDate: '2022-03-01',
    buildYear: 2022,
    evBatteryCapacity: 77,
    trackGeolocation: true,
  },
  status: {
    lastUpdated: '2026-11-15T08:30:00.000Z',
    location: { lat: 52.51704, lng: 13.38886 },
    isCharging: false,
    isLocked: true,
    windowsClosed: true,
    doorsClosed: true,
    engineActive: false,
    headlightsActive: false,
    immobilizerActive: true,
    isPluggedIn: false,
    odometer: 45210,
    reach: 312,
    fuelLevel: 74,
    tirePressureFrontLeft: 2.5,
    tirePressureFrontRight: 2.5,
    tirePressureRearLeft: 2.4,
    tirePressureRearRight: 2.4,
    nextServiceDate: '2027-03-01',
    nextServiceDistance: 8400,
  },
};
