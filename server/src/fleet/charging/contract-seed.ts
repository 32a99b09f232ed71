import type { ContractSeed } from '../../testing/contract/seed.ts';
import { exampleRequest, sessionParameters } from './charging-session.ts';

const now = Date.now();
const daysAgo = (days: number, minutes: number) =>
  new Date(now - (days * 1_440 - minutes) * 60_000).toISOString();

/** What a box tells of a session that begins some days ago and ends after an hour, or does not end. */
function messagesOf(vehicleId: string, days: number, ends: boolean) {
  const levels = [40, 45, 50, 55];
  const charging = levels.map((fuelLevel, index) => ({
    vehicleId,
    timestamp: daysAgo(days, index * 10),
    isPluggedIn: true,
    isCharging: true,
    fuelLevel,
    location: { lat: 52.5, lng: 13.4 },
  }));
  const end = { isPluggedIn: false, isCharging: false, fuelLevel: 55 };
  return ends ? [...charging, { vehicleId, timestamp: daysAgo(days, 60), ...end }] : charging;
}

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ provider: { countryCode, code }, round, values, id, call }) {
    const { vehicleId = '' } = values;
    const sessionId = id(sessionParameters.sessionId.example);
    await call('PUT', `/${vehicleId}/charging/${sessionId}`, exampleRequest);
    await call('POST', '/databox/messages', [
      ...messagesOf(vehicleId, round === 2 ? 7 : 6, true),
      ...messagesOf(`${countryCode}*${code}*V0003`, 3, false),
    ]);
    return { sessionId };
  },
  requests: {
    putChargingSession: [{ values: { sessionId: 'NEW' }, body: exampleRequest, status: 201 }],
  },
};
