import type { ContractSeed, Values } from '../../testing/contract/seed.ts';
import { exampleDatabox } from './databox.ts';
import { exampleStatusMessage } from './message.ts';

const now = Date.now();
const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000).toISOString();

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ provider, round, values, id, call }): Promise<Values> {
    const { vehicleId } = values;
    const status = { location: { lat: 52.5, lng: 13.4 }, isLocked: true, isCharging: false };
    const tyres = { tirePressureFrontLeft: 2.5, tirePressureRearRight: 2.4 };
    await call('POST', '/databox/messages', [
      // In the period of the documented example.
      { vehicleId, timestamp: '2026-11-14T08:00:00Z', odometer: 45_000, fuelLevel: 80 },
      { vehicleId, timestamp: hoursAgo(60), odometer: 45_010, fuelLevel: 78, ...status },
      { vehicleId, timestamp: hoursAgo(36), odometer: 45_020, fuelLevel: 76, ...status },
      { vehicleId, timestamp: hoursAgo(24), nextServiceDistance: 400, ...tyres },
    ]);
    const serial = id(exampleDatabox.serial);
    // A vehicle has one box: of the same vehicle there is no other, but one in a vehicle that has none.
    const another = `${provider.countryCode}*${provider.code}*V0003`;
    await call('PUT', `/databoxes/${serial}`, { vehicleId: round === 2 ? another : vehicleId });
    if (round === 2) {
      await call('POST', '/databox/messages', [
        { vehicleId, timestamp: hoursAgo(50), odometer: 45_015, fuelLevel: 77 },
        { vehicleId, timestamp: hoursAgo(800), odometer: 20_000 },
      ]);
    }
    return { serial };
  },
  requests: {
    putVehicleStatus: [
      // Newer than all that is known, and older than some of it.
      { body: { ...exampleStatusMessage, timestamp: hoursAgo(0.01) } },
      { body: { ...exampleStatusMessage, timestamp: hoursAgo(40) } },
      { body: { timestamp: hoursAgo(0.01), odometer: 70_000, nextServiceDistance: 100 } },
    ],
    sendDataboxMessages: [
      {
        body: [
          { vehicleId: 'DE*ABC*V0001', timestamp: hoursAgo(0.02), odometer: 45_300 },
          { vehicleId: 'DE*ABC*V0001', timestamp: hoursAgo(36), odometer: 45_020 },
          { vehicleId: 'DE*ABC*V0001', timestamp: hoursAgo(50), odometer: 45_015 },
          { vehicleId: 'DE*ABC*V0004', timestamp: hoursAgo(1), odometer: 31_000 },
          { serial: 'BX-0001', timestamp: hoursAgo(0.01), odometer: 45_301 },
          { vehicleId: 'DE*ABC*V0002', timestamp: hoursAgo(0.01), odometer: 45_301 },
          { serial: 'BX-0001-3', timestamp: hoursAgo(0.01), odometer: 45_302 },
        ],
      },
    ],
    getVehicleHistory: [
      { body: { from: hoursAgo(72), resolution: 'raw' } },
      { body: { from: hoursAgo(72), resolution: 'hour' } },
    ],
    putDatabox: [
      { body: { vehicleId: 'DE*ABC*V0003' } },
      { values: { serial: 'NEW' }, body: { vehicleId: 'DE*ABC*V0003' }, status: 201 },
    ],
  },
};
