import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChargingSession } from '../fleet/charging/charging-session.ts';
import type { MaintenanceReport } from '../fleet/maintenance/maintenance-report.ts';
import { demoFleet } from '../fleet/vehicles/demo/fleet.ts';
import { type Vehicle, writeVehicles } from '../fleet/vehicles/public.ts';
import { demoScope } from '../testing/demo-scope.ts';
import { testCredentials } from '../testing/global-setup.ts';
import { quietWriter } from '../testing/no-subscribers.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { fleetClient } from './fleet-client.ts';
import { createSimulation, type Simulation } from './run-simulation.ts';
import type { SimulatedSession, SimulatedVehicle } from './simulated-vehicle.ts';

// To try it at another size: SIMULATED_VEHICLES=500 npx vitest run server/src/simulator/simulated-day.test.ts
const count = Number(process.env.SIMULATED_VEHICLES ?? 40);
const hours = Number(process.env.SIMULATED_HOURS ?? 24);

let service: TestService;
let simulation: Simulation;

beforeAll(async () => {
  service = await startTestService();
  const end = Date.now();
  const start = end - hours * 3_600_000;
  const fleet = fleetAt(new Date(start));
  await writeVehicles(
    quietWriter(service.db),
    { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' },
    fleet,
  );
  for (const [index, { asset, status }] of fleet.entries()) {
    // Some are reached within the day.
    const dueInKm = ((20 + (index % 6) * 30) * hours) / 24;
    const report = { title: 'Look at the brakes', dueOdometer: (status.odometer ?? 0) + dueInKm };
    await service.call('POST', `/${asset.id}/maintenance`, report);
  }

  const { signal } = new AbortController();
  const access = { url: service.url, countryCode: 'DE', code: 'ABC', ...testCredentials };
  const client = fleetClient(access, signal);
  // As fast as possible.
  const clock = { start, end, at: () => end };
  const found = await client.vehicles(count);
  simulation = createSimulation(client, found, { clock, seed: 'a day', signal });
  await simulation.run();
}, 600_000);
afterAll(() => service.stop());

/** The demo's vehicles in service, repeated under other ids for larger fleets. */
function fleetAt(moment: Date): Vehicle[] {
  const driven = demoFleet(demoScope('DE', moment)).filter(({ asset }) => asset.active);
  return Array.from({ length: count }, (_, index) => {
    const vehicle = driven[index % driven.length] as Vehicle;
    const id = `DE*ABC*S${String(index).padStart(5, '0')}`;
    return { ...vehicle, asset: { ...vehicle.asset, id } };
  });
}

function finalState(vehicle: SimulatedVehicle) {
  return vehicle.stateAt(simulation.summary().time);
}

async function sessionsOf({ car }: SimulatedVehicle): Promise<ChargingSession[]> {
  const { json } = await service.call('POST', `/${car.id}/charging`, {
    pagination: { pageSize: 1_000 },
  });
  return json.items.toReversed();
}

test('every message is accepted, and all are stored', async () => {
  const { counts, messages } = simulation.summary();
  expect(simulation.fleet).toHaveLength(count);
  expect(counts).toEqual({ accepted: messages, stale: 0, duplicate: 0, rejected: 0 });
  const [stored] = await service.db.query<{ count: number }>(
    'select count(*) from vehicle_history',
  );
  expect(stored?.count).toBe(messages);
});

test('the statuses are those of the simulated vehicles', async () => {
  for (const vehicle of simulation.fleet) {
    const { car } = vehicle;
    const { odometer, batteryKwh, litres, place } = finalState(vehicle);
    const { status } = (await service.call('GET', `/${car.id}`)).json as Vehicle;
    const level = car.tank ? litres / car.tank.litres : batteryKwh / (car.battery?.kwh ?? 1);
    expect(Math.abs((status.odometer ?? 0) - odometer), car.id).toBeLessThan(0.051);
    expect(Math.abs((status.fuelLevel ?? 0) - level * 100), car.id).toBeLessThan(0.051);
    if (car.tracked) {
      expect(status.location?.lat, car.id).toBeCloseTo(place.lat, 5);
      expect(status.location?.lng, car.id).toBeCloseTo(place.lng, 5);
    } else expect(status.location, car.id).toBeUndefined();
  }
});

test('the km of the history are the km that were driven', async () => {
  const rows = await service.db.query<{ id: string; km: number }>(
    `select vehicle_id as id, max(odometer) - min(odometer) as km
     from vehicle_history group by vehicle_id`,
  );
  const km = new Map(rows.map((row) => [row.id, row.km]));
  for (const vehicle of simulation.fleet) {
    const difference = Math.abs((km.get(vehicle.car.id) ?? 0) - vehicle.drivenKm());
    expect(difference, vehicle.car.id).toBeLessThan(0.11);
  }
  expect(simulation.summary().drivenKm).toBeGreaterThan(count * hours);
});

test('the charging sessions that are found are those that were', async () => {
  let compared = 0;
  for (const vehicle of simulation.fleet) {
    const found = await sessionsOf(vehicle);
    expect(
      found.map(({ fromDatetime }) => Date.parse(fromDatetime)),
      vehicle.car.id,
    ).toEqual(vehicle.sessions.map(({ from }) => from));
    for (const [index, session] of vehicle.sessions.entries()) {
      compare(vehicle, session, found[index] as ChargingSession);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan((count * hours) / 120);
});

function compare({ car }: SimulatedVehicle, truth: SimulatedSession, found: ChargingSession): void {
  const { kwh = 0 } = car.battery ?? {};
  const about = `${car.id} ${found.fromDatetime}`;
  const chargedKwh = truth.toKwh - truth.fromKwh;
  const level = (batteryKwh: number) => (batteryKwh / kwh) * 100;
  if (truth.to !== undefined) {
    expect(Date.parse(found.toDatetime ?? ''), about).toBe(truth.to);
    expect(Math.abs((found.toSoC ?? 0) - level(truth.toKwh)), about).toBeLessThan(0.051);
    if (!car.tank) {
      // Levels are rounded to tenths of a percent.
      expect(Math.abs((found.chargedKWh ?? 0) - chargedKwh), about).toBeLessThan(kwh * 0.0011);
    } else if (!truth.startedBefore) {
      expect(Math.abs((found.chargedKWh ?? 0) - chargedKwh), about).toBeLessThan(0.02);
    }
  }
  expect(Math.abs((found.fromSoC ?? 0) - level(truth.fromKwh)), about).toBeLessThan(0.051);
}

test('what is planned has the status that the odometer gives it', async () => {
  let overdue = 0;
  for (const vehicle of simulation.fleet) {
    const { json } = await service.call('GET', `/${vehicle.car.id}/maintenance`);
    const reports = json.items as MaintenanceReport[];
    const { odometer } = (await service.call('GET', `/${vehicle.car.id}`)).json.status;
    const brakes = reports.find(({ source }) => source === 'manual');
    const isOverdue = odometer > (brakes?.dueOdometer ?? 0);
    expect(brakes?.status, vehicle.car.id).toBe(isOverdue ? 'overdue' : 'due_soon');
    if (isOverdue) overdue += 1;
  }
  expect(overdue).toBeGreaterThan(0);
  expect(overdue).toBeLessThan(count);
});
