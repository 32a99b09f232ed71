import type { ContractSeed } from '../../testing/contract/seed.ts';
import { exampleRequest, sessionParameters } from './charging-session.ts';

const now = Date.now();
const daysAgo = (days: number, minutes: number) =>
  new Date(now - (days * 1_440 - minutes) * 60_000).toISOString();

const open = { vehicleId: 'DE*ABC*V0003' };

/** The messages of a session that begins some days ago and ends after an hour, or does not end. */
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
      ...messagesOf(vehicleId, round === 2 ? 5 : 6, true),
      ...messagesOf(`${countryCode}*${code}*V0003`, 3, false),
    ]);
    const { items } = await call('POST', `/${vehicleId}/charging`, {});
    const detected = items.find((item: { id: string }) => !item.id.startsWith(sessionId));
    if (round === 2) {
      const record = { fromDatetime: daysAgo(6, 0), toDatetime: daysAgo(6, 60) };
      await call('PUT', `/${vehicleId}/charging/${sessionId}-detected`, record);
    }
    return { sessionId, detectedSessionId: detected.id };
  },
  requests: {
    putChargingSession: [
      {
        values: { sessionId: 'NEW' },
        body: { fromDatetime: daysAgo(8, 0), toDatetime: daysAgo(4, 0) },
        status: 201,
      },
      { values: { sessionId: '{detectedSessionId}' }, body: exampleRequest },
    ],
    sendDataboxMessages: [
      // The detected session began earlier; it was interrupted; there was one that only others had.
      { body: [charging(daysAgo(6, -5), true)] },
      { body: [charging(daysAgo(6, 25), false)] },
      { body: [charging(daysAgo(5.5, 0), false)] },
      {
        body: [
          charging(daysAgo(5, -5), true),
          // To the moment when the copies of others begin.
          charging(daysAgo(5, 1), true),
          charging(daysAgo(5, 20), false),
        ],
      },
      // The session that is open goes on; it ends.
      { body: [{ ...open, timestamp: daysAgo(3, 40), isCharging: true, fuelLevel: 60 }] },
      { body: [{ ...open, timestamp: daysAgo(3, 40), isCharging: false, isPluggedIn: false }] },
    ],
  },
};

function charging(timestamp: string, isCharging: boolean) {
  return { vehicleId: 'DE*ABC*V0001', timestamp, isCharging, isPluggedIn: isCharging };
}
