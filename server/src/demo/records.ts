import type { ChecklistEntry } from '../fleet/checklist/checklist-entry.ts';
import type { Incident } from '../fleet/incidents/incident.ts';
import type { LogbookEntry } from '../fleet/logbook/logbook-entry.ts';
import type { Vehicle } from '../fleet/vehicles/public.ts';
import { checklist, handoverTemplate } from './checklist.ts';
import { customersByVehicle, type Driver, drivers } from './drivers.ts';
import { type DemoFile, incidentFiles, logbookFiles } from './files.ts';
import { DAY_MS, lotOf, type OfVehicle, recordedTime } from './history.ts';
import { incidents } from './incidents.ts';
import { logbook } from './logbook.ts';

/** All that is kept of the vehicles of one provider. */
export type Records = {
  drivers: Driver[];
  logbook: OfVehicle<LogbookEntry>[];
  template: ReturnType<typeof handoverTemplate>;
  checklist: OfVehicle<ChecklistEntry>[];
  incidents: OfVehicle<Incident>[];
  files: DemoFile[];
};

/** How much of it there is. */
export type Extent = {
  customers: number;
  logbooks: number;
  checklists: number;
  incidents: 'all' | 'few';
};

export const rich: Extent = { customers: 120, logbooks: 60, checklists: 30, incidents: 'all' };
export const small: Extent = { customers: 9, logbooks: 5, checklists: 3, incidents: 'few' };

/** The same for the same fleet and the same moment. */
export async function demoRecords(
  providerId: string,
  fleet: readonly Vehicle[],
  extent: Extent,
  now: Date,
): Promise<Records> {
  const byId = new Map(fleet.map((vehicle) => [vehicle.asset.id, vehicle]));
  const ofFleet = drivers(fleet, extent.customers, now);
  const customers = customersByVehicle(ofFleet);
  const customersOf = ({ asset }: Vehicle) => customers.get(asset.id) ?? [];
  const happened = incidents(fleet, customers, now, extent.incidents);
  const incidentsOf = ({ asset }: Vehicle) =>
    happened.filter(({ vehicleId }) => vehicleId === asset.id).map(({ thing }) => thing);

  // Vehicles with incidents first, so that their logbooks tell of them.
  const kept = drawn(fleet, 'logbooks', now).sort(
    (a, b) => Math.sign(incidentsOf(b).length) - Math.sign(incidentsOf(a).length),
  );
  const entries = kept
    .slice(0, extent.logbooks)
    .flatMap((vehicle) => logbook(vehicle, customersOf(vehicle), incidentsOf(vehicle), now));
  const checked = drawn(fleet, 'checklists', now)
    .slice(0, extent.checklists)
    .flatMap((vehicle) => checklist(vehicle, customersOf(vehicle), now));

  const filesOf = async <Thing>(
    all: readonly OfVehicle<Thing>[],
    make: (vehicle: Vehicle, thing: Thing) => Promise<DemoFile[]>,
  ) => {
    const files = all.map(({ vehicleId, thing }) => {
      const vehicle = byId.get(vehicleId);
      return vehicle ? make(vehicle, thing) : [];
    });
    return (await Promise.all(files)).flat();
  };
  return {
    drivers: ofFleet,
    logbook: entries,
    template: handoverTemplate(providerId),
    checklist: checked,
    incidents: happened,
    files: [...(await filesOf(entries, logbookFiles)), ...(await filesOf(happened, incidentFiles))],
  };
}

/** The vehicles that have been around for a while, in an order that is drawn by lot. */
function drawn(fleet: readonly Vehicle[], lot: string, now: Date): Vehicle[] {
  return fleet
    .filter((vehicle) => {
      const { first, last } = recordedTime(vehicle, now);
      return vehicle.asset.active && last - first > 60 * DAY_MS;
    })
    .sort((a, b) => lotOf(a, lot) - lotOf(b, lot));
}
