import type { Random } from '../../../platform/random/random.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/time/duration.ts';
import { dateOf } from '../../../platform/time/instant.ts';
import { type Incident, repairEuros } from '../../incidents/public.ts';
import { inspectionFacts } from '../../inspection/public.ts';
import { timeAt } from '../../telemetry/public.ts';
import {
  type DemoVehicle,
  engineOf,
  tyreChanges,
  workdayFrom,
  workdayUntil,
} from '../../vehicles/public.ts';
import { type Event, euros, type Milestone } from './logbook-events.ts';
import { motorVehicleTax, premium } from './yearly-costs.ts';

/** What comes round with the year and with the age of the vehicle. */
export function milestones(vehicle: DemoVehicle, years: number[], random: Random): Milestone[] {
  return [
    ...tyreChanges(vehicle).map(({ time, to }) => ({ time, event: tyres(to, random) })),
    ...services(vehicle, random),
    ...timingBelt(vehicle, random),
    ...years.flatMap((year) => [insurance(vehicle, year), ...tax(vehicle, year)]),
  ];
}

function tyres(to: 'summer' | 'winter', random: Random): Event {
  return {
    category: 'tyres',
    title: to === 'summer' ? 'Summer tyres fitted' : 'Winter tyres fitted',
    description: 'Changed and balanced, the other set is stored.',
    cents: euros(random.integer(59, 109)),
    tags: ['seasonal'],
  };
}

/** In the morning, before it drives. */
function services(vehicle: DemoVehicle, random: Random): Milestone[] {
  const combustion = vehicle.model.tankLitres !== undefined;
  return vehicle.services.times.map((time) => ({
    time: Math.floor(time / DAY_MS) * DAY_MS + 6 * HOUR_MS,
    event: combustion
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
        },
  }));
}

/** When it was due by age or by distance, whichever came first. */
function timingBelt(vehicle: DemoVehicle, random: Random): Milestone[] {
  const belt = engineOf(vehicle.model)?.belt;
  if (!belt) return [];
  const { registeredAt, recorded, movedUntil, mileageAt, isFrench } = vehicle;
  const byAge = belt.years ? registeredAt + belt.years * 365.25 * DAY_MS : Number.POSITIVE_INFINITY;
  const byDistance =
    mileageAt(movedUntil) > belt.km ? timeAt(vehicle, belt.km) : Number.POSITIVE_INFINITY;
  const due = Math.min(byAge, byDistance);
  const wasDueBefore = byAge < recorded.first || mileageAt(recorded.first) > belt.km;
  if (wasDueBefore || due > movedUntil) return [];
  return [
    {
      time: workdayUntil(Math.floor(due / DAY_MS) * DAY_MS, isFrench),
      event: {
        category: 'service',
        title: 'Timing belt and water pump replaced',
        cents: euros(random.between(680, 1_150)),
        tags: ['workshop'],
      },
    },
  ];
}

function insurance(vehicle: DemoVehicle, year: number): Milestone {
  return {
    time: workdayFrom(Date.UTC(year, 0, 2), vehicle.isFrench),
    event: {
      category: 'insurance',
      title: `Motor insurance ${year}`,
      cents: euros(premium(vehicle, year)),
    },
  };
}

/** In Germany, on the day of the registration. */
function tax(vehicle: DemoVehicle, year: number): Milestone[] {
  const amount = vehicle.isFrench ? 0 : motorVehicleTax(vehicle);
  if (amount === 0) return [];
  const registered = new Date(vehicle.registeredAt);
  const day = Date.UTC(year, registered.getUTCMonth(), registered.getUTCDate());
  return [
    {
      time: workdayFrom(day, false),
      event: { category: 'tax', title: `Motor vehicle tax ${year}`, cents: euros(amount) },
    },
  ];
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

/** Incidents that nobody would call an accident. */
const harmless = ['interior', 'handover', 'breakdown'];

/** What an incident leaves in the logbook: that it happened and, when it is mended, the bill. */
export function afterIncident(
  vehicle: DemoVehicle,
  incident: Incident,
  random: Random,
): Milestone[] {
  const { title, description, incidentTimestamp, reportTimestamp, damages = [] } = incident;
  const time = Date.parse(incidentTimestamp ?? reportTimestamp);
  const days = damages.length > 0 ? random.integer(3, 12) : 1;
  const repaired = workdayFrom(time + days * DAY_MS, vehicle.isFrench);
  const happened: Event = {
    category: harmless.includes(incident.incidentType ?? '') ? 'other' : 'accident',
    title,
    tags: [`incident ${incident.id}`],
  };
  if (description !== undefined) happened.description = description;
  if (incident.customer) happened.customer = incident.customer;
  const isMended = incident.isResolved && damages.every((damage) => damage.repaired);
  if (!isMended || repaired > vehicle.recorded.last) return [{ time, event: happened }];
  const cost = damages.reduce((sum, damage) => sum + repairEuros(damage, random), 0);
  const work = damages.map((damage) => damage.title).join(', ') || 'Drained and flushed';
  return [
    { time, event: happened },
    {
      time: repaired,
      event: {
        category: 'repair',
        title: `Repaired: ${title}`.slice(0, 200),
        description: `${work}. Incident of ${dateOf(time)}.`,
        cents: euros(cost || random.integer(380, 620)),
        tags: ['workshop', `incident ${incident.id}`],
      },
    },
  ];
}
