import type { Random } from '../../../platform/random/random.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { type DemoVehicle, workdayUntil } from '../../vehicles/public.ts';
import type { LogbookEntry } from '../logbook-entry.ts';

/** What an entry says, apart from when and by whom. */
export type Event = Pick<
  LogbookEntry,
  'category' | 'title' | 'description' | 'tags' | 'customer'
> & {
  cents?: number;
};

/** An event that has its day. */
export type Milestone = { time: number; event: Event };

/** Nothing where it could not have happened to that vehicle at that time. */
type Kind = {
  weight: number;
  event: (vehicle: DemoVehicle, time: number, random: Random) => Event | undefined;
};

const everyday: readonly Kind[] = [
  { weight: 4, event: cleaning },
  { weight: 3.5, event: parking },
  { weight: 1, event: toll },
  { weight: 1.5, event: repair },
  { weight: 0.7, event: fine },
  { weight: 0.8, event: other },
];

const daysApart: Readonly<Record<string, number>> = { cleaning: 21, parking: 2 };

/** Cleaning and parking come again after a while, and all others only once. */
function excludes(one: Milestone, other: Milestone): boolean {
  const days = daysApart[one.event.category];
  if (days === undefined) return one.event.title === other.event.title;
  const isSameKind = one.event.category === other.event.category;
  return isSameKind && Math.abs(one.time - other.time) < days * DAY_MS;
}

/** Things that can happen on any workday; apart from cleaning and parking, none twice. */
export function everydayEvents(vehicle: DemoVehicle, random: Random): Milestone[] {
  const { recorded, movedUntil, isFrench } = vehicle;
  const years = (movedUntil - recorded.first) / (365 * DAY_MS);
  const count = Math.max(5, Math.round(random.integer(7, 12) * Math.sqrt(years / 2)));
  const found: Milestone[] = [];
  while (found.length < count) {
    const drawn = Math.floor(random.between(recorded.first, movedUntil) / DAY_MS) * DAY_MS;
    const time = workdayUntil(drawn + random.integer(7 * 60, 17 * 60) * 60_000, isFrench);
    const event = random.weighted(everyday).event(vehicle, time, random);
    const isWithin = time >= recorded.first && time < movedUntil;
    if (event && isWithin && !found.some((one) => excludes(one, { time, event }))) {
      found.push({ time, event });
    }
  }
  const parked = found.find(({ event }) => event.category === 'parking');
  return parked && random.chance(0.07) ? [...found, ...refund(vehicle, parked, random)] : found;
}

function cleaning(_: DemoVehicle, __: number, random: Random): Event {
  const inside = random.chance(0.4);
  return {
    category: 'cleaning',
    title: inside ? 'Cleaned inside and out' : 'Car wash',
    cents: inside ? euros(random.integer(45, 95)) : euros(random.integer(9, 19)) - 1,
  };
}

function parking(vehicle: DemoVehicle, _: number, random: Random): Event {
  const hours = random.integer(2, 9);
  return {
    category: 'parking',
    title: `Car park, ${hours} hours`,
    description: vehicle.addressNear(random),
    cents: hours * random.pick([200, 250, 300, 350]),
  };
}

const vignetteCents: Readonly<Record<number, number>> = { 2024: 1_150, 2025: 1_240, 2026: 1_280 };

/** What lies within a day's drive: in Germany only the vignette for the neighbour of Munich. */
function toll(
  { isFrench, home, model }: DemoVehicle,
  time: number,
  random: Random,
): Event | undefined {
  const year = new Date(time).getUTCFullYear();
  if (isFrench) {
    return home.name === 'Paris'
      ? {
          category: 'toll',
          title: 'Toll of the A 14 at Montesson',
          cents: random.integer(930, 1_040),
        }
      : {
          category: 'toll',
          title: 'Toll of the northern ring road',
          cents: random.integer(240, 320),
        };
  }
  if (home.plateCode !== 'M' || model.role === 'sharing') return undefined;
  return {
    category: 'toll',
    title: `Vignette for Austria ${year}, 10 days`,
    cents: vignetteCents[year] ?? 1_280,
    tags: ['business trip'],
  };
}

function repair(vehicle: DemoVehicle, time: number, random: Random): Event | undefined {
  const { model, isVan, registeredAt } = vehicle;
  const combustion = model.tankLitres !== undefined;
  const years = (time - registeredAt) / (365 * DAY_MS);
  const km = vehicle.mileageAt(time);
  const [title, from, to, isPossible = true] = random.pick([
    [
      'Front brake pads and discs replaced',
      290,
      460,
      combustion && km > 45_000 && vehicle.lot('brakes') < 0.5,
    ],
    ['12 V battery replaced', 170, 280, years > 4 && vehicle.lot('battery') < 0.5],
    ['Wiper blades replaced', 38, 62, years > 1],
    ['Bulb of the dipped beam replaced', 18, 45, isVan && combustion && years > 2],
    ['Puncture repaired', 28, 55],
    ['Guide of the sliding door replaced', 160, 290, isVan && km > 60_000],
  ] as const);
  if (!isPossible) return undefined;
  return { category: 'repair', title, cents: euros(random.between(from, to)), tags: ['workshop'] };
}

/** By the national catalogues; the French ones when paid in time. */
function fine(vehicle: DemoVehicle, _: number, random: Random): Event {
  const ticket = vehicle.isFrench ? (vehicle.home.name === 'Paris' ? 7_500 : 6_000) : 2_000;
  const [title, german, french] = random.pick([
    ['Parked without a ticket', ticket, ticket],
    ['Parked on a cycle path', 5_500, 13_500],
    ['11 km/h too fast in town', 5_000, 9_000],
  ] as const);
  const cents = vehicle.isFrench ? french : german;
  return { category: 'fine', title, description: vehicle.addressNear(random), cents };
}

/** Some days after it was charged, and as much. */
function refund(vehicle: DemoVehicle, { time, event }: Milestone, random: Random): Milestone[] {
  const later = workdayUntil(time + random.integer(5, 12) * DAY_MS, vehicle.isFrench);
  if (later <= time || later >= vehicle.movedUntil) return [];
  const { cents = 0, description } = event;
  return [
    {
      time: later,
      event: {
        category: 'parking',
        title: 'Parking fee refunded, the machine had charged twice',
        ...(description !== undefined && { description }),
        cents: -cents,
        tags: ['refund'],
      },
    },
  ];
}

function other(vehicle: DemoVehicle, time: number, random: Random): Event | undefined {
  const years = (time - vehicle.registeredAt) / (365 * DAY_MS);
  const [title, cents, isPossible = true] = random.pick([
    ['Second key handed over', undefined, years < 1],
    ['First-aid kit renewed', 1_290, years > 4 && vehicle.lot('first-aid kit') < 0.5],
    ['Washer fluid topped up', 690],
    ['Ice scraper and gloves bought', 890, [9, 10, 11, 0].includes(new Date(time).getUTCMonth())],
  ] as const);
  if (!isPossible) return undefined;
  return { category: 'other', title, ...(cents !== undefined && { cents }) };
}

export function euros(amount: number): number {
  return Math.round(amount * 100);
}
