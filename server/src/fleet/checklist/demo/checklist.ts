import { type Random, randomFor } from '../../../platform/random/random.ts';
import { uuidFor } from '../../../platform/random/uuid.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { dateOf } from '../../../platform/time/instant.ts';
import type { DemoScope } from '../../demo-context.ts';
import { customersAt } from '../../drivers/public.ts';
import { chargeLevelAt, tankLevelAt } from '../../telemetry/public.ts';
import {
  type DemoVehicle,
  drawDemoVehicles,
  type OfVehicle,
  treadAt,
  tyresAt,
  workdayFrom,
  workdayUntil,
} from '../../vehicles/public.ts';
import type { ChecklistEntry } from '../checklist-entry.ts';
import type { ItemRequest } from '../checklist-item.ts';

type Answer = Pick<ChecklistEntry, 'value' | 'result' | 'comment'>;
type Question = {
  item: Omit<ItemRequest, 'required'> & { required: boolean };
  answer: (vehicle: DemoVehicle, time: number, random: Random) => Answer;
};

const tyreSets = ['summer', 'winter', 'all-season'];

/** What is asked when a vehicle changes hands, and how it is answered. */
const handover: readonly Question[] = [
  {
    item: { title: 'Odometer in km', type: 'number', required: true },
    answer: (vehicle, time) => ({ value: vehicle.odometerAt(time), result: 'pass' }),
  },
  {
    item: { title: 'Fuel or charge in percent', type: 'number', required: true },
    answer: (vehicle, time) => {
      const level = chargeLevelAt(vehicle, time) ?? tankLevelAt(vehicle, time);
      const value = Math.round(level ?? vehicle.status.fuelLevel ?? 0);
      return value < 25
        ? { value, result: 'flag', comment: 'To be filled up before the next trip.' }
        : { value, result: 'pass' };
    },
  },
  {
    item: { title: 'Tyres on the car', type: 'select', options: tyreSets, required: true },
    answer: (vehicle, time) => ({ value: tyresAt(vehicle, time), result: 'pass' }),
  },
  {
    item: { title: 'Tread depth in mm', type: 'number', required: true },
    answer: (vehicle, time) => {
      const value = treadAt(vehicle, time);
      return value < 4
        ? { value, result: 'flag', comment: 'New tyres by the next season.' }
        : { value, result: 'pass' };
    },
  },
  {
    item: { title: 'All lights work', type: 'check', required: true },
    answer: checked(0.06, 'fail', 'Dipped beam on the left is out.'),
  },
  {
    item: { title: 'Windscreen without chips or cracks', type: 'check', required: true },
    answer: checked(0.1, 'flag', 'A chip in the lower right corner.'),
  },
  {
    item: {
      title: 'Warning triangle, vest and first-aid kit on board',
      type: 'check',
      required: true,
    },
    answer: checked(0.08, 'fail', 'The first-aid kit is out of date.'),
  },
  {
    item: { title: 'Charging cable or fuel card on board', type: 'check', required: true },
    answer: (vehicle, _, random) => {
      const thing = vehicle.model.batteryKwh === undefined ? 'fuel card' : 'charging cable';
      return checked(0.05, 'fail', `The ${thing} is missing.`)(vehicle, 0, random);
    },
  },
  {
    item: {
      title: 'Interior',
      type: 'select',
      options: ['clean', 'acceptable', 'dirty'],
      required: false,
    },
    answer: (_, __, random) => {
      const value = random.pick(['clean', 'clean', 'clean', 'acceptable', 'acceptable', 'dirty']);
      return value === 'dirty'
        ? { value, result: 'flag', comment: 'Cleaning ordered.' }
        : { value, result: 'pass' };
    },
  },
  {
    item: { title: 'New damage', type: 'text', required: true },
    answer: (_, __, random) =>
      random.chance(0.12)
        ? { value: 'Small scratch at the rear bumper', result: 'flag' }
        : { value: 'none', result: 'pass' },
  },
];

function checked(chance: number, result: 'flag' | 'fail', comment: string) {
  return (_: DemoVehicle, __: number, random: Random): Answer =>
    random.chance(chance) ? { value: false, result, comment } : { value: true, result: 'pass' };
}

export function handoverTemplate(providerId: string) {
  return {
    id: uuidFor(`${providerId}/template/handover`),
    name: 'Handover',
    entries: handover.map(({ item }) => item),
  };
}

const checklistCounts = { rich: 30, small: 3 };

export function checklists(scope: DemoScope): OfVehicle<ChecklistEntry>[] {
  return drawDemoVehicles(scope, 'checklists')
    .slice(0, checklistCounts[scope.extent])
    .flatMap((vehicle) => checklist(scope, vehicle));
}

/** The template on a vehicle: mostly answered, sometimes in part, sometimes still to be done. */
function checklist(scope: DemoScope, vehicle: DemoVehicle): OfVehicle<ChecklistEntry>[] {
  const { id } = vehicle.asset;
  const now = scope.clock.now().getTime();
  const random = randomFor(`${id}/checklist`);
  const done = random.chance(0.7) ? handover.length : random.integer(0, handover.length - 1);
  const begun = handoverTime(vehicle, done < handover.length ? 5 : 90, random);
  const customers = customersAt(scope, vehicle, begun);
  const customer = customers.length > 0 ? random.pick(customers) : undefined;
  const dueDate = dateOf(workdayFrom(now + random.integer(1, 14) * DAY_MS, vehicle.isFrench));
  return handover.map(({ item, answer }, position) => {
    const createdAt = new Date(workdayUntil(begun - DAY_MS, vehicle.isFrench)).toISOString();
    const performedAt = new Date(Math.min(begun + position * 40_000, now)).toISOString();
    return {
      vehicle,
      entry: {
        id: uuidFor(`${id}/checklist/${position}`),
        position,
        ...item,
        ...(position < done
          ? { ...answer(vehicle, begun, random), performedAt, ...(customer && { customer }) }
          : { dueDate }),
        createdAt,
        updatedAt: position < done ? performedAt : createdAt,
      },
    };
  });
}

/** In working hours of the last days in which it was driven. */
function handoverTime(
  { recorded, movedUntil, isFrench }: DemoVehicle,
  days: number,
  random: Random,
): number {
  const from = Math.max(recorded.first, movedUntil - days * DAY_MS);
  const day = Math.floor(random.between(from, movedUntil - DAY_MS) / DAY_MS);
  const minute = random.integer(6 * 60, 16 * 60);
  return workdayUntil(day * DAY_MS + minute * 60_000, isFrench);
}
