import type { DemoScope } from '../../demo-context.ts';
import { logbooks } from '../../logbook/demo/logbook.ts';
import { type DemoVehicle, demoVehicles, type OfVehicle } from '../../vehicles/public.ts';

/** What somebody has recorded for the inspection of a vehicle. */
type InspectionFacts = {
  passedOn?: string;
  usage: 'private' | 'rental';
  fuel: 'petrol' | 'diesel' | 'electric' | 'hybrid';
  category: 'car' | 'van';
};

const fuels = {
  battery: 'electric',
  'plug-in': 'hybrid',
  hybrid: 'hybrid',
  petrol: 'petrol',
  diesel: 'diesel',
} as const;

export function inspectionFacts(scope: DemoScope): OfVehicle<InspectionFacts>[] {
  const books = Map.groupBy(logbooks(scope), ({ vehicle }) => vehicle);
  return demoVehicles(scope).map((vehicle) => {
    const passed = (books.get(vehicle) ?? [])
      .map(({ entry }) => entry)
      .filter(({ category }) => category === 'inspection')
      .map(({ date }) => date);
    const passedOn = passed.sort().at(-1);
    return {
      vehicle,
      entry: {
        ...(passedOn !== undefined && { passedOn }),
        usage: isRented(vehicle) ? 'rental' : 'private',
        fuel: fuels[vehicle.model.drive],
        category: vehicle.isVan ? 'van' : 'car',
      },
    };
  });
}

function isRented({ model, isFrench }: DemoVehicle): boolean {
  return model.role === 'sharing' && !isFrench;
}
