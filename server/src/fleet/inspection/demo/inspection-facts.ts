import { randomFor } from '../../../platform/random/random.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { dateOf } from '../../../platform/time/instant.ts';
import type { Usage, VehicleClass } from '../../vehicle-use.ts';
import { type DemoVehicle, workdayUntil } from '../../vehicles/public.ts';
import { estimate } from '../estimation/estimate.ts';
import type { Fuel } from '../estimation/facts.ts';

/** What somebody has recorded for the inspection of a vehicle. */
type InspectionFacts = { usage: Usage; fuel: Fuel; vehicleClass: VehicleClass; passedOn?: string };

const fuels = {
  battery: 'electric',
  'plug-in': 'hybrid',
  hybrid: 'hybrid',
  petrol: 'petrol',
  diesel: 'diesel',
} as const;

const recordedShare = 0.3;

export function inspectionFacts(vehicle: DemoVehicle): InspectionFacts {
  const { model, isFrench, isVan } = vehicle;
  const facts = {
    usage: model.role === 'sharing' && !isFrench ? 'rental' : 'private',
    fuel: fuels[model.drive],
    vehicleClass: isVan ? 'N1' : 'M1',
  } as const;
  const passedOn = vehicle.lot('inspection') < recordedShare && lastPassed(vehicle, facts);
  return { ...facts, ...(passedOn && { passedOn }) };
}

/** It passed each inspection a few days before it was due, by the rules that the service knows. */
function lastPassed(
  { asset, information, recorded, isFrench }: DemoVehicle,
  facts: Omit<InspectionFacts, 'passedOn'>,
): string | undefined {
  const { firstRegistrationDate: registered = '' } = information;
  const today = dateOf(recorded.last);
  const random = randomFor(`${asset.id}/inspection/days`);
  let passedOn: string | undefined;
  for (;;) {
    const { estimatedDate = today } = estimate(
      {
        ...facts,
        vehicleClass: { recorded: facts.vehicleClass },
        firstRegistrationDate: registered,
        ...(passedOn && { lastInspectionDate: passedOn }),
        country: asset.assetProviderCountryCode,
        usageIsRecorded: true,
        addedOn: registered,
      },
      today,
    );
    const early = Date.parse(estimatedDate) - random.integer(2, 20) * DAY_MS;
    const next = dateOf(workdayUntil(early, isFrench));
    if (estimatedDate >= today || next >= today) return passedOn;
    passedOn = next;
  }
}
