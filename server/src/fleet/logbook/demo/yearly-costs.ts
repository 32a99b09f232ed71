import { randomFor } from '../../../platform/random/random.ts';
import { burnsDiesel, type DemoVehicle, engineOf } from '../../vehicles/public.ts';

/** What the insurance asks in a year, in whole euros: more for a van, and a little more every year. */
export function premium({ asset, isVan }: DemoVehicle, year: number): number {
  const random = randomFor(`${asset.id}/insurance`);
  const base = isVan ? random.integer(880, 1_250) : random.integer(620, 980);
  return Math.round(base * 1.06 ** (year - 2024));
}

/** By § 9 KraftStG, in whole euros; nothing for battery vehicles. */
export function motorVehicleTax({ model, isVan }: DemoVehicle): number {
  const engine = engineOf(model);
  if (!engine) return 0;
  if (isVan) return taxByWeight(grossKg(model));
  const perHundredCcm = burnsDiesel(model) ? 9.5 : 2;
  const displacement = Math.ceil(engine.ccm / 100) * perHundredCcm;
  // Plug-in hybrids stay below the free allowance.
  const grams = model.drive === 'plug-in' ? 0 : model.per100Km * (burnsDiesel(model) ? 26.2 : 23.2);
  return Math.floor(displacement + taxByCarbonDioxide(Math.round(grams)));
}

/** Grams per km above each limit, and the euros for each of them, for registrations since 2021. */
const carbonDioxideSteps = [
  [95, 2],
  [115, 2.2],
  [135, 2.5],
  [155, 2.9],
  [175, 3.4],
  [195, 4],
] as const;

function taxByCarbonDioxide(grams: number): number {
  return carbonDioxideSteps.reduce((sum, [from, euros], index) => {
    const to = carbonDioxideSteps[index + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    return sum + Math.max(0, Math.min(grams, to) - from) * euros;
  }, 0);
}

function grossKg({ role, per100Km }: DemoVehicle['model']): number {
  if (role === 'large-van') return 3_500;
  return per100Km < 6 ? 2_300 : 3_000;
}

/** For every 200 kg begun. */
function taxByWeight(kg: number): number {
  const steps = Math.ceil(kg / 200);
  const upTo = (limit: number) => Math.min(steps, limit);
  return Math.floor(upTo(10) * 11.25 + (upTo(15) - upTo(10)) * 12.02 + (steps - upTo(15)) * 12.78);
}
