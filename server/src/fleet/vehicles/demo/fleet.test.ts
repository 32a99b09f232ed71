import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { demoScope } from '../../../testing/demo-scope.ts';
import type { Vehicle } from '../vehicle.ts';
import { type City, frenchCities, germanCities } from './cities.ts';
import { demoFleet } from './fleet.ts';
import { findModel, type Model, models } from './models.ts';
import { roles } from './roles.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const german = demoFleet(demoScope('DE', now));
const french = demoFleet(demoScope('FR', now));
const all = [...german, ...french];

const YEAR_CODES: Record<number, string> = {
  2018: 'J',
  2019: 'K',
  2020: 'L',
  2021: 'M',
  2022: 'N',
  2023: 'P',
  2024: 'R',
  2025: 'S',
  2026: 'T',
};

describe('the demo fleet', () => {
  test('has the promised number of vehicles with running ids', () => {
    expect(german).toHaveLength(260);
    expect(french).toHaveLength(20);
    expect(german[0]?.asset.id).toBe('DE*ABC*V0001');
    expect(german.at(-1)?.asset.id).toBe('DE*ABC*V0260');
    expect(french[0]?.asset.id).toBe('FR*XYZ*V0001');
    expect(french.at(-1)?.asset.id).toBe('FR*XYZ*V0020');
  });

  test('repeats no id, VIN or plate', () => {
    expect(new Set(all.map((vehicle) => vehicle.asset.id)).size).toBe(all.length);
    expect(new Set(all.map((vehicle) => vehicle.information.vin)).size).toBe(all.length);
    expect(new Set(all.map((vehicle) => vehicle.information.licensePlate)).size).toBe(all.length);
  });

  test('is the same for the same moment', () => {
    expect(demoFleet(demoScope('DE', new Date(now)))).toEqual(german);
    expect(demoFleet(demoScope('FR', new Date(now)))).toEqual(french);
  });

  test('keeps its vehicles whatever the moment; only the odometer grows', () => {
    const later = demoFleet(demoScope('DE', new Date(now.getTime() + 200 * DAY_MS)));
    expect(later.map(withoutStatus)).toEqual(german.map(withoutStatus));
    for (const [index, vehicle] of german.entries()) {
      expect(later[index]?.status.odometer).toBeGreaterThan(vehicle.status.odometer ?? 0);
    }
  });

  test('also works for a moment before the last registrations', () => {
    for (const vehicle of demoFleet(demoScope('DE', new Date('2025-01-01T00:00:00.000Z')))) {
      expect(vehicle.status.odometer).toBeGreaterThan(0);
    }
  });

  test('mixes drives and makes', () => {
    const drives = german.map((vehicle) => modelOf(vehicle).drive);
    for (const drive of ['battery', 'plug-in', 'hybrid', 'petrol', 'diesel'] as const) {
      expect(drives.filter((each) => each === drive).length, drive).toBeGreaterThanOrEqual(8);
    }
    const vans = german.filter((vehicle) => roles[modelOf(vehicle).role].kind === 'van');
    expect(vans.length).toBeGreaterThan(40);
    const makes = new Set(german.map((vehicle) => vehicle.information.vendor));
    expect(makes.size).toBeGreaterThanOrEqual(12);
  });
});

describe('the models', () => {
  test('are many and none stands there twice', () => {
    expect(models.length).toBeGreaterThanOrEqual(40);
    expect(new Set(models.map(nameOf)).size).toBe(models.length);
  });

  test('can all be registered within their years of production', () => {
    for (const model of models) {
      expect(Math.max(model.from, roles[model.role].since), nameOf(model)).toBeLessThanOrEqual(
        model.to,
      );
    }
  });

  test('have the capacities of their drive', () => {
    for (const model of models) {
      const hasPlug = model.drive === 'battery' || model.drive === 'plug-in';
      expect(model.batteryKwh !== undefined, nameOf(model)).toBe(hasPlug);
      expect(model.tankLitres !== undefined, nameOf(model)).toBe(model.drive !== 'battery');
    }
  });

  test('have well-formed VIN patterns', () => {
    for (const model of models) {
      expect(model.vinPattern, nameOf(model)).toMatch(/^[A-HJ-NPR-Z0-9]{9}_[A-HJ-NPR-Z0-9]$/);
    }
  });
});

describe('every vehicle', () => {
  test('has a VIN of its model with the code of its year', () => {
    for (const vehicle of all) {
      const { vin = '', buildYear = 0 } = vehicle.information;
      expect(vin).toMatch(/^[A-HJ-NPR-Z0-9]{11}\d{6}$/);
      expect(vin.slice(0, 3)).toBe(modelOf(vehicle).vinPattern.slice(0, 3));
      expect(vin.charAt(9), `${vehicle.asset.id} of ${buildYear}`).toBe(YEAR_CODES[buildYear]);
    }
  });

  test('was registered while its model was built, and built then or the year before', () => {
    for (const vehicle of all) {
      const { firstRegistrationDate = '', buildYear = 0 } = vehicle.information;
      const { from, to } = modelOf(vehicle);
      const year = Number(firstRegistrationDate.slice(0, 4));
      expect(firstRegistrationDate >= '2018-01-01').toBe(true);
      expect(firstRegistrationDate <= '2026-10-31').toBe(true);
      expect(year).toBeGreaterThanOrEqual(from);
      expect(year).toBeLessThanOrEqual(to);
      expect([year, year - 1]).toContain(buildYear);
      expect(buildYear).toBeGreaterThanOrEqual(from);
    }
  });

  test('in Germany has a plate of its city, with an E if it can be plugged in', () => {
    for (const vehicle of german) {
      const { licensePlate = '', evBatteryCapacity } = vehicle.information;
      const hasPlug = evBatteryCapacity !== undefined;
      expect(licensePlate).toMatch(/^(B|HH|M|K|F)-[A-Z]{1,2} [1-9]\d{0,3}E?$/);
      expect(licensePlate).not.toMatch(/-(HJ|KZ|NS|SA|SS) /);
      expect(licensePlate.replace(/[- ]/g, '').length).toBeLessThanOrEqual(8);
      expect(licensePlate.endsWith('E'), licensePlate).toBe(hasPlug);
    }
  });

  test('in France has a French plate', () => {
    for (const vehicle of french) {
      expect(vehicle.information.licensePlate).toMatch(
        /^[A-HJ-NP-TV-Z]{2}-\d{3}-[A-HJ-NP-TV-Z]{2}$/,
      );
    }
  });

  test('stands in the city of its plate, or nowhere if it is not tracked', () => {
    for (const vehicle of german) {
      const district = vehicle.information.licensePlate?.split('-')[0];
      const home = germanCities.filter((city) => city.plateCode === district);
      expect(isPlaced(vehicle, home), vehicle.asset.id).toBe(true);
    }
    for (const vehicle of french) {
      expect(isPlaced(vehicle, frenchCities), vehicle.asset.id).toBe(true);
    }
  });

  test('has believable levels, reach and mileage', () => {
    for (const vehicle of all) {
      const { fuelLevel = -1, reach = -1, odometer = -1, lastUpdated = '' } = vehicle.status;
      const { firstRegistrationDate = '' } = vehicle.information;
      expect(fuelLevel).toBeGreaterThanOrEqual(0);
      expect(fuelLevel).toBeLessThanOrEqual(100);
      expect(reach).toBeGreaterThanOrEqual(0);
      expect(reach).toBeLessThan(1_500);

      const [min, max] = roles[modelOf(vehicle).role].yearlyKm;
      const years =
        (Date.parse(lastUpdated) - Date.parse(firstRegistrationDate)) / (365.25 * DAY_MS);
      expect(odometer).toBeGreaterThanOrEqual(Math.floor(years * min));
      expect(odometer).toBeLessThanOrEqual(Math.ceil(years * max + 30));
    }
  });

  test('charges only while plugged in, and only if it has a plug', () => {
    for (const { asset, information, status } of all) {
      const hasPlug = information.evBatteryCapacity !== undefined;
      expect('isCharging' in status, asset.id).toBe(hasPlug);
      expect('isPluggedIn' in status, asset.id).toBe(hasPlug);
      if (status.isCharging) {
        expect(status).toMatchObject({ isPluggedIn: true, engineActive: false });
        expect(status.fuelLevel).toBeLessThan(100);
      }
    }
  });

  test('is unlocked while it drives, and never plugged in then', () => {
    const driving = all.filter((vehicle) => vehicle.status.engineActive);
    expect(driving.length).toBeGreaterThan(20);
    for (const { asset, status } of driving) {
      expect(asset.active).toBe(true);
      expect(status.isLocked).toBe(false);
      expect(status.immobilizerActive).toBe(false);
      expect(status.isPluggedIn ?? false).toBe(false);
    }
  });

  test('has its lights on only when it drives in the dark', () => {
    expect(german.some((vehicle) => vehicle.status.headlightsActive)).toBe(false);
    const evening = demoFleet(demoScope('DE', new Date('2026-11-15T18:00:00.000Z')));
    for (const { status } of evening) {
      expect(status.headlightsActive).toBe(status.engineActive);
    }
  });

  test('has tyres within reason', () => {
    for (const { status } of all) {
      for (const bar of wheels(status)) {
        expect(bar).toBeGreaterThanOrEqual(1.6);
        expect(bar).toBeLessThanOrEqual(3.9);
      }
    }
  });
});

describe('a manager finds', () => {
  const share = (predicate: (vehicle: Vehicle) => boolean) =>
    german.filter(predicate).length / german.length;

  test('services overdue and due soon', () => {
    const today = '2026-11-15';
    const inThirtyDays = '2026-12-15';
    const date = (vehicle: Vehicle) => vehicle.status.nextServiceDate ?? '9999-12-31';
    const overdue = share((vehicle) => date(vehicle) < today);
    const soon = share((vehicle) => date(vehicle) >= today && date(vehicle) <= inThirtyDays);
    expect(overdue).toBeGreaterThan(0.03);
    expect(overdue).toBeLessThan(0.08);
    expect(soon).toBeGreaterThan(0.06);
    expect(soon).toBeLessThan(0.15);
    expect(german.some(({ status }) => (status.nextServiceDistance ?? 0) < 0)).toBe(true);
  });

  test('no service plan for Teslas and retired vehicles, and one for all others', () => {
    for (const { asset, information, status } of all) {
      const planned = asset.active && information.vendor !== 'Tesla';
      expect('nextServiceDate' in status, asset.id).toBe(planned);
      expect('nextServiceDistance' in status, asset.id).toBe(planned);
    }
  });

  test('retired vehicles, long without news', () => {
    const retired = german.filter((vehicle) => !vehicle.asset.active);
    expect(retired.length).toBeGreaterThanOrEqual(5);
    expect(retired.length).toBeLessThanOrEqual(16);
    for (const vehicle of retired) {
      expect(silenceDays(vehicle)).toBeGreaterThan(19);
    }
  });

  test('silent vehicles among the active ones, most of which are up to date', () => {
    const silent = share((vehicle) => vehicle.asset.active && silenceDays(vehicle) > 0.25);
    const fresh = share((vehicle) => silenceDays(vehicle) <= 10 / (24 * 60));
    expect(silent).toBeGreaterThan(0.03);
    expect(silent).toBeLessThan(0.09);
    expect(fresh).toBeGreaterThan(0.8);
  });

  test('an open window, an unlocked vehicle and a flat tyre', () => {
    const parked = german.filter((vehicle) => !vehicle.status.engineActive);
    expect(parked.some(({ status }) => status.windowsClosed === false)).toBe(true);
    expect(parked.some(({ status }) => status.isLocked === false)).toBe(true);
    const flat = german.filter(({ status }) => {
      const [frontLeft = 0, frontRight = 0, rearLeft = 0, rearRight = 0] = wheels(status);
      const difference = Math.max(Math.abs(frontLeft - frontRight), Math.abs(rearLeft - rearRight));
      return difference > 0.35;
    });
    expect(flat.length).toBeGreaterThan(2);
    expect(flat.length).toBeLessThan(15);
  });

  test('vehicles that are not tracked', () => {
    const untracked = share((vehicle) => vehicle.information.trackGeolocation === false);
    expect(untracked).toBeGreaterThan(0.02);
    expect(untracked).toBeLessThan(0.09);
  });
});

function nameOf({ vendor, model, variant }: Partial<Record<keyof Model, unknown>>): string {
  return `${vendor} ${model} ${variant}`;
}

function modelOf({ information }: Vehicle): Model {
  return findModel(information) as Model;
}

function withoutStatus({ asset, information, status }: Vehicle): unknown {
  return { asset, information, location: status.location };
}

function isPlaced({ information, status }: Vehicle, cities: readonly City[]): boolean {
  const { location } = status;
  if (location === undefined) {
    return information.trackGeolocation === false;
  }
  return (
    information.trackGeolocation === true &&
    cities.some(
      ({ bounds }) =>
        location.lat >= bounds.south &&
        location.lat <= bounds.north &&
        location.lng >= bounds.west &&
        location.lng <= bounds.east,
    )
  );
}

function wheels(status: Vehicle['status']): number[] {
  return [
    status.tirePressureFrontLeft ?? 0,
    status.tirePressureFrontRight ?? 0,
    status.tirePressureRearLeft ?? 0,
    status.tirePressureRearRight ?? 0,
  ];
}

function silenceDays(vehicle: Vehicle): number {
  return (now.getTime() - Date.parse(vehicle.status.lastUpdated ?? '')) / DAY_MS;
}
