import type { Random } from '../../../platform/random/random.ts';
import type { DemoVehicle } from '../../vehicles/public.ts';
import type { LogbookEntry } from '../logbook-entry.ts';

/** What an entry says, apart from when and by whom. */
export type Event = Pick<LogbookEntry, 'category' | 'title' | 'description' | 'tags'> & {
  cents?: number;
};

type Kind = { weight: number; event: (vehicle: DemoVehicle, random: Random) => Event };

const everyday: readonly Kind[] = [
  { weight: 10, event: energy },
  { weight: 3, event: cleaning },
  { weight: 3, event: parking },
  { weight: 1.2, event: toll },
  { weight: 1, event: repair },
  { weight: 0.7, event: fine },
  { weight: 0.7, event: refund },
  { weight: 0.8, event: other },
];

/** Something that can happen on any day. */
export function everydayEvent(vehicle: DemoVehicle, random: Random): Event {
  return random.weighted(everyday).event(vehicle, random);
}

function energy(vehicle: DemoVehicle, random: Random): Event {
  const { drive } = vehicle.model;
  const charges = drive === 'battery' || (drive === 'plug-in' && random.chance(0.6));
  return charges ? charging(vehicle, random) : fuel(vehicle, random);
}

function charging(vehicle: DemoVehicle, random: Random): Event {
  const { model } = vehicle;
  const fast = model.drive === 'battery' && random.chance(0.4);
  const kwh = tenths((model.batteryKwh ?? 0) * random.between(0.3, 0.75));
  const price = hundredths(fast ? random.between(0.59, 0.79) : random.between(0.42, 0.56));
  return {
    category: 'charging',
    title: `${kwh} kWh ${fast ? 'at a fast charger' : 'at a charging point'}`,
    description: `${price.toFixed(2)} EUR/kWh, ${vehicle.addressNear(random)}.`,
    cents: Math.round(kwh * price * 100),
    tags: ['charging card'],
  };
}

function fuel(vehicle: DemoVehicle, random: Random): Event {
  const { model, isFrench } = vehicle;
  const diesel = model.drive === 'diesel' || / de( |$)/.test(model.variant);
  const [german, french] = diesel ? ['Diesel', 'Gazole'] : ['Super E10', 'SP95-E10'];
  const litres = tenths((model.tankLitres ?? 0) * random.between(0.5, 0.9));
  // Prices at the pump end in nine tenths of a cent.
  const price =
    hundredths(diesel ? random.between(1.55, 1.74) : random.between(1.62, 1.85)) - 0.001;
  return {
    category: 'fuel',
    title: `${litres} l ${isFrench ? french : german}`,
    description: `${price.toFixed(3)} EUR/l, ${vehicle.addressNear(random)}.`,
    cents: Math.round(litres * price * 100),
    tags: ['fuel card'],
  };
}

function cleaning(_: DemoVehicle, random: Random): Event {
  const inside = random.chance(0.4);
  return {
    category: 'cleaning',
    title: inside ? 'Cleaned inside and out' : 'Car wash',
    cents: inside ? euros(random.integer(45, 95)) : euros(random.integer(9, 19)) - 1,
  };
}

function parking(vehicle: DemoVehicle, random: Random): Event {
  const hours = random.integer(2, 9);
  return {
    category: 'parking',
    title: `Car park, ${hours} hours`,
    description: vehicle.addressNear(random),
    cents: hours * random.pick([200, 250, 300, 350]),
  };
}

function toll(vehicle: DemoVehicle, random: Random): Event {
  return vehicle.isFrench
    ? {
        category: 'toll',
        title: 'Motorway toll Paris to Lyon',
        cents: random.integer(3_800, 4_200),
        tags: ['business trip'],
      }
    : {
        category: 'toll',
        title: 'Vignette for Austria, 10 days',
        cents: random.pick([1_150, 1_240, 1_280]),
        tags: ['business trip'],
      };
}

function repair(vehicle: DemoVehicle, random: Random): Event {
  const [title, from, to] = random.pick([
    ['Front brake pads and discs replaced', 290, 460],
    ['12 V battery replaced', 170, 280],
    ['Wiper blades replaced', 38, 62],
    ['Bulb of the dipped beam replaced', 18, 45],
    ['Puncture repaired', 28, 55],
    ...(vehicle.isVan ? ([['Guide of the sliding door replaced', 160, 290]] as const) : []),
  ] as const);
  return { category: 'repair', title, cents: euros(random.between(from, to)), tags: ['workshop'] };
}

function fine(vehicle: DemoVehicle, random: Random): Event {
  const [title, fee] = random.pick([
    ['Parked without a ticket', 2_000],
    ['Parked on a loading bay', 5_500],
    ['11 km/h too fast in town', 5_000],
  ] as const);
  return { category: 'fine', title, description: vehicle.addressNear(random), cents: fee };
}

function refund(_: DemoVehicle, random: Random): Event {
  const [category, title] = random.pick([
    ['parking', 'Parking fee refunded, the machine had charged twice'],
    ['service', 'Credit note of the workshop, hours billed twice'],
  ] as const);
  return { category, title, cents: -euros(random.integer(4, 60)), tags: ['refund'] };
}

function other(_: DemoVehicle, random: Random): Event {
  const [title, cents] = random.pick([
    ['Second key handed over', undefined],
    ['First-aid kit renewed', 1_290],
    ['Washer fluid topped up', 690],
    ['Environmental badge stuck on', 600],
  ] as const);
  return { category: 'other', title, ...(cents !== undefined && { cents }) };
}

export function euros(amount: number): number {
  return Math.round(amount * 100);
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
