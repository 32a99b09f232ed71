import type { DemoContext } from '../../demo-context.ts';
import { demoReadings } from '../../telemetry/public.ts';
import { type DemoVehicle, demoVehicles, type Electric } from '../../vehicles/public.ts';
import { writeStates } from '../state-store.ts';
import { type ChargingChange, updateSessions } from '../update-sessions.ts';

type WithPlug = DemoVehicle & { electric: Electric };

const batchSize = 10;

/** The sessions are those that the service detects in the vehicles' readings. */
export async function seedCharging(context: DemoContext): Promise<void> {
  const { tx, provider, clock, settings } = context;
  const detection = { tx, clock, gapMs: settings.chargingGapMs };
  const fleet = demoVehicles(context).filter((vehicle): vehicle is WithPlug => !!vehicle.electric);
  for (let index = 0; index < fleet.length; index += batchSize) {
    const some = fleet.slice(index, index + batchSize);
    const changes = some.map((vehicle) => changeOf(context, vehicle));
    const states = await updateSessions(detection, provider.id, changes);
    await writeStates(tx, provider.id, states);
  }
}

function changeOf(context: DemoContext, vehicle: WithPlug): ChargingChange {
  const { capacityKwh, levelIsCharge } = vehicle.electric;
  return {
    vehicleId: vehicle.asset.id,
    // The level of a vehicle with a tank is that of the tank.
    samples: demoReadings(context, vehicle).map(({ level, ...reading }) =>
      levelIsCharge ? { ...reading, level } : reading,
    ),
    state: null,
    lastKnown: {},
    battery: { capacityKwh, levelIsCharge },
  };
}
