import type { ContractSeed, Maker } from '../../testing/contract/seed.ts';
import { exampleCustomer } from '../users/public.ts';

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ values: { vehicleId }, call }) {
    const { customerId } = exampleCustomer;
    await call('PUT', `/${vehicleId}/drivers`, { ...exampleCustomer, mobilityProviderCode: 'ERA' });
    await driveAndCharge(call, `${vehicleId}-ERA`);
    const { id } = await call('DELETE', `/users/DE/ERA/${customerId}`);
    return { erasureId: id };
  },
};

/** Positions of each kind of the time in which the customer drives, which are erased with the customer. */
async function driveAndCharge(call: Maker['call'], vehicleId: string): Promise<void> {
  await call('PUT', `/${vehicleId}`, { information: { evBatteryCapacity: 50 } });
  const { customerId } = exampleCustomer;
  await call('PUT', `/${vehicleId}/drivers`, exampleCustomer);
  await call('DELETE', `/${vehicleId}/drivers/DE/MOB/${customerId}`);
  await call('PUT', `/${vehicleId}/drivers`, exampleCustomer);
  const location = { lat: 52.5, lng: 13.4 };
  const timestamp = new Date().toISOString();
  const charging = { isPluggedIn: true, isCharging: true, fuelLevel: 40, odometer: 100 };
  await call('POST', '/databox/messages', [{ vehicleId, timestamp, location, ...charging }]);
  await call('PUT', `/${vehicleId}/charging/recorded`, {
    fromDatetime: timestamp,
    toDatetime: timestamp,
    chargedKWh: 0,
    location: { latitude: location.lat, longitude: location.lng },
  });
}
