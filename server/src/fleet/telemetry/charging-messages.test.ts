import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const begin = Date.now() - 3 * 86_400_000;
const at = (minutes: number) => new Date(begin + minutes * 60_000).toISOString();

/** Two days: driven, charged with a short gap and a change of the current, driven, charged again. */
const stream: Record<string, unknown>[] = [
  { minute: 0, odometer: 100, fuelLevel: 60, location: { lat: 1, lng: 1 }, isCharging: false },
  { minute: 60, odometer: 160, fuelLevel: 40, location: { lat: 2, lng: 2 } },
  { minute: 70, isPluggedIn: true },
  { minute: 71, isCharging: true, isPluggedIn: true, energyMeter: 500 },
  { minute: 80, fuelLevel: 45, isCharging: true, energyMeter: 504 },
  { minute: 85, isCharging: false, isPluggedIn: true },
  { minute: 90, isCharging: true, fuelLevel: 50, energyMeter: 508 },
  { minute: 120, isCharging: true, fuelLevel: 70 },
  { minute: 130, isCharging: false, isPluggedIn: false, fuelLevel: 75, energyMeter: 527 },
  { minute: 200, odometer: 250, fuelLevel: 50, location: { lat: 3, lng: 3 } },
  { minute: 210, isLocked: true },
  { minute: 1_500, isCharging: true, fuelLevel: 50 },
  { minute: 1_510, isCharging: true, fuelLevel: 55 },
  { minute: 1_700, odometer: 300, fuelLevel: 40, isCharging: false, isPluggedIn: false },
];

async function sessionsOf(vehicleId: string, batches: readonly (typeof stream)[]) {
  await service.call('DELETE', `/${vehicleId}`);
  await service.call('PUT', `/${vehicleId}`, { information: { evBatteryCapacity: 77 } });
  for (const batch of batches) {
    const messages = batch.map(({ minute, ...signals }) => ({
      vehicleId,
      timestamp: at(Number(minute)),
      ...signals,
    }));
    const { json } = await service.call('POST', '/databox/messages', messages);
    expect(json.counts.rejected).toBe(0);
  }
  return service.db.queryUnprepared<Record<string, unknown>>(
    `select from_time, to_time, from_level, to_level, lat, lng, charged_kwh, energy_basis
     from charging_sessions where vehicle_id = $1 order by from_time`,
    [vehicleId],
  );
}

test('the same charging sessions are detected in any order and batches of messages', async () => {
  const inOrder = await sessionsOf('DE*ABC*C1', [stream]);
  expect(inOrder).toMatchObject([
    { from_time: at(71), to_time: at(130), to_level: 75, lat: 2, energy_basis: 'measured' },
    { from_time: at(1_500), energy_basis: 'estimated' },
  ]);
  expect(
    await sessionsOf(
      'DE*ABC*C1',
      stream.map((message) => [message]),
    ),
  ).toEqual(inOrder);
  const disturbed = fc.record({
    order: fc.shuffledSubarray(stream, { minLength: stream.length }),
    again: fc.shuffledSubarray(stream),
    cuts: fc.array(fc.integer({ min: 0, max: 28 }), { maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(disturbed, async ({ order, again, cuts }) => {
      const all = [...order, ...again];
      const bounds = [0, ...cuts.toSorted((a, b) => a - b), all.length];
      const batches = bounds.slice(1).map((end, index) => all.slice(bounds[index], end));
      expect(await sessionsOf('DE*ABC*C1', batches)).toEqual(inOrder);
    }),
    { numRuns: 20 },
  );
});
