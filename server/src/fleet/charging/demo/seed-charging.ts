import type { DemoContext } from '../../demo-context.ts';
import { demoReadings } from '../../telemetry/public.ts';
import { type DemoVehicle, demoVehicles, type Electric } from '../../vehicles/public.ts';
import { type ChargingChange, findSessions } from '../find-sessions.ts';
import { writeStates } from '../state-store.ts';

type WithPlug = DemoVehicle & { electric: Electric };

const vehiclesAtOnce = 10;

/** The sessions are those that the service finds in what the vehicles have told. */
export async function seedCharging(context: DemoContext): Promise<void> {
  const { tx, provider, settings } = context;
  const fleet = demoVehicles(context).filter((vehicle): vehicle is WithPlug => !!vehicle.electric);
  for (let index = 0; index < fleet.length; index += vehiclesAtOnce) {
    const some = fleet.slice(index, index + vehiclesAtOnce);
    const changes = some.map((vehicle) => changeOf(context, vehicle));
    const states = await findSessions(tx, provider.id, changes, settings.chargingGapMs);
    await writeStates(tx, provider.id, states);
  }
}

function changeOf(context: DemoContext, vehicle: WithPlug): ChargingChange {
  const { capacityKwh, levelIsCharge } = vehicle.electric;
  return {
    vehicleId: vehicle.asset.id,
    samples: demoReadings(context, vehicle),
    late: false,
    state: null,
    lastKnown: {},
    battery: { capacityKwh, levelIsCharge },
  };
}
