import type { Random } from '../../../platform/random/random.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { dateOf } from '../../../platform/time/instant.ts';
import type { Incident } from '../../incidents/public.ts';
import { inspectionFacts } from '../../inspection/public.ts';
import type { DemoVehicle } from '../../vehicles/public.ts';
import { type Event, euros } from './logbook-events.ts';

/** An event that has its day. */
export type Milestone = { time: number; event: Event };

/** What comes round with the year and with the age of the vehicle. */
export function milestones(vehicle: DemoVehicle, years: number[], random: Random): Milestone[] {
  const combustion = vehicle.model.tankLitres !== undefined;
  const registered = new Date(vehicle.registeredAt);
  const inYear = (year: number, month: number, day: number) => Date.UTC(year, month, day);
  return years.flatMap((year): Milestone[] => [
    {
      time: inYear(year, 3, random.integer(3, 24)),
      event: tyres('Summer tyres fitted', random),
    },
    {
      time: inYear(year, 9, random.integer(8, 29)),
      event: tyres('Winter tyres fitted', random),
    },
    {
      time: inYear(year, random.integer(0, 11), random.integer(1, 28)),
      event: service(combustion, random),
    },
    {
      time: inYear(year, 0, 2),
      event: {
        category: 'insurance',
        title: `Motor insurance ${year}`,
        cents: euros(random.integer(620, 1_380)),
      },
    },
    ...(combustion && !vehicle.isFrench
      ? [
          {
            time: inYear(year, registered.getUTCMonth(), registered.getUTCDate()),
            event: {
              category: 'tax' as const,
              title: `Motor vehicle tax ${year}`,
              cents: euros(random.integer(58, 320)),
            },
          },
        ]
      : []),
  ]);
}

function tyres(title: string, random: Random): Event {
  return {
    category: 'tyres',
    title,
    description: 'Changed and balanced, the other set is stored.',
    cents: euros(random.integer(59, 109)),
    tags: ['seasonal'],
  };
}

function service(combustion: boolean, random: Random): Event {
  return combustion
    ? {
        category: 'service',
        title: 'Service with oil change',
        description: 'Oil and filter changed, brakes and lights checked.',
        cents: euros(random.between(240, 430)),
        tags: ['workshop'],
      }
    : {
        category: 'service',
        title: 'Service',
        description: 'Cabin filter and brake fluid changed, high-voltage system checked.',
        cents: euros(random.between(140, 270)),
        tags: ['workshop'],
      };
}

/** The inspection that is recorded as passed, if one is. */
export function passedInspection(vehicle: DemoVehicle, random: Random): Milestone[] {
  const { passedOn } = inspectionFacts(vehicle);
  if (passedOn === undefined) return [];
  const { isFrench, model } = vehicle;
  const combustion = model.tankLitres !== undefined;
  return [
    {
      time: Date.parse(passedOn),
      event: {
        category: 'inspection',
        title: isFrench ? 'Contrôle technique passed' : 'Main inspection passed',
        description: combustion ? 'Emissions test included.' : 'Without an emissions test.',
        cents: euros(isFrench ? random.integer(75, 90) : combustion ? 159 : 108),
      },
    },
  ];
}

const repairEuros = { light: [180, 450], moderate: [450, 1_400], high: [1_200, 3_800] } as const;

/** What an incident leaves in the logbook: that it happened and, when it is mended, the bill. */
export function afterIncident(incident: Incident, last: number, random: Random): Milestone[] {
  const { title, description, incidentTimestamp, reportTimestamp, damages = [] } = incident;
  const time = Date.parse(incidentTimestamp ?? reportTimestamp);
  const repaired = time + random.integer(6, 24) * DAY_MS;
  const happened: Event = { category: 'accident', title, tags: [`incident ${incident.id}`] };
  if (description !== undefined) happened.description = description;
  const isMended = damages.length > 0 && damages.every((damage) => damage.repaired);
  if (!isMended || repaired > last) return [{ time, event: happened }];
  const cost = damages.reduce((sum, { severity }) => {
    const [from, to] = repairEuros[severity];
    return sum + random.between(from, to);
  }, 0);
  return [
    { time, event: happened },
    {
      time: repaired,
      event: {
        category: 'repair',
        title: `Repaired: ${title}`.slice(0, 200),
        description: `${damages.map((damage) => damage.title).join(', ')}. Incident of ${dateOf(time)}.`,
        cents: euros(cost),
        tags: ['workshop', `incident ${incident.id}`],
      },
    },
  ];
}
