import { plural } from '../plural.ts';

const form = plural('en');
const months = (count: number) => `${count} ${form(count, 'month', 'months')}`;

export const maintenance = {
  maintenance: {
    count: (count: number, shown: string) => `${shown} ${form(count, 'entry', 'entries')}`,
    views: 'View',
    list: 'List',
    calendar: 'Calendar',
    states: 'State',
    all: 'All',
    searchHint: 'Plate, title or notes',
    plan: 'Plan maintenance',
    planned: (plate: string) => `Planned for ${plate}`,
    edit: 'Edit',
    editTitle: 'Edit maintenance',
    saved: 'Saved',
    complete: 'Mark done',
    completeTitle: (title: string) => `Done: ${title}`,
    completed: (plate: string, title: string) => `${plate}: ${title} is done`,
    next: (date: string) => `Next on ${date}.`,
    delete: 'Remove from the plan',
    deleteTitle: 'Remove from the plan?',
    deleteText: (title: string, plate: string) =>
      `“${title}” of ${plate} leaves the plan. What was done before stays in the logbook.`,
    deleted: 'Removed from the plan',
    overdueBefore: (count: number, shown: string) =>
      `${shown} ${form(count, 'entry is', 'entries are')} overdue`,
    more: (count: number) => `${count} more`,
    previousMonth: 'Previous month',
    nextMonth: 'Next month',
    today: 'Today',
    ofDay: (date: string) => `Due on ${date}`,
    forecastMark: 'Forecast',
    none: {
      title: 'Nothing is planned yet',
      advice: 'Services, inspections and repairs that are planned or forecast appear here.',
    },
    noneFound: {
      title: 'Nothing matches',
      advice: 'Search for less, or remove a filter.',
    },
    why: 'Why then',
    details: 'Details',
    lastDone: 'Last done',
    never: 'Not recorded',
    columns: {
      vehicle: 'Vehicle',
      title: 'What',
      status: 'State',
      soonest: 'Due',
      reason: 'Why then',
    },
    fields: {
      type: 'Kind',
      source: 'Comes from',
      title: 'Title',
      vehicleId: 'Vehicle id',
      dueDate: 'Due date',
      dueOdometer: 'Due at',
      forecastDate: 'Forecast',
      lastDoneDate: 'Last done',
    },
    types: {
      service: 'Service',
      inspection: 'Inspection',
      repair: 'Repair',
      tyres: 'Tyres',
      other: 'Other',
    },
    sourceNames: {
      manual: 'A person',
      schedule: 'A schedule',
      vehicle: 'The vehicle',
      inspection: 'The inspection rule',
    },
    sources: {
      manual: 'Planned by a person',
      schedule: 'Planned by a schedule of the fleet',
      vehicle: 'The vehicle itself reports when its service is due',
      inspection: 'Estimated by the rule for periodic inspections',
    },
    reasons: {
      inspection: 'Periodic inspection, by law',
      vehicle: 'Reported by the vehicle',
      byHand: 'Planned for that day',
      schedule: 'Planned by a schedule',
      reaches: (distance: string) => `Reaches ${distance} by then`,
      atOdometer: (distance: string) => `Due at ${distance}`,
      after: (count: number, date: string) => `${months(count)} after ${date}`,
      everyMonths: (count: number) => `Every ${months(count)}`,
      calendar: (names: string) => `Every year in ${names}`,
      everyDistance: (distance: string) => `Every ${distance}`,
      afterDistance: (distance: string, last: string) =>
        `${distance} after it was last done at ${last}`,
      forecast: (distance: string, date: string) =>
        `By its average of the last 90 days, the vehicle reaches ${distance} on ${date}`,
      noForecast: (distance: string) =>
        `Due at ${distance}; there is too little mileage for a forecast`,
      rule: (country: string, intervals: readonly number[]) =>
        intervals.length > 1
          ? `Rule of ${country}: ${intervals.slice(0, -1).map(months).join(', then ')} after the first registration, then every ${months(intervals.at(-1) ?? 0)}`
          : `Rule of ${country}: every ${months(intervals[0] ?? 0)}`,
      lastInspection: (date: string) => `Last passed on ${date}`,
      registered: (date: string) => `First registered on ${date}; no inspection is recorded`,
      noBasis: 'Neither a first registration nor an inspection is recorded',
      confidence: {
        high: 'The date is certain',
        medium: 'The date is likely',
        low: 'The date is uncertain',
      },
    },
    form: {
      vehicle: 'Vehicle',
      title: 'What is to be done',
      type: 'Kind',
      dueDate: 'Due on',
      dueOdometer: 'Due at (km)',
      intervalMonths: 'Repeats every (months)',
      intervalDistance: 'Repeats every (km)',
      notes: 'Notes',
      dueHelp: 'A day, an odometer or an interval; whichever comes first counts.',
      dueNeeded: 'Say when it is due: a day, an odometer or an interval.',
      doneOn: 'Done on',
      odometer: 'Odometer (km)',
      odometerHelp: 'Left empty, that of the day by the history of the vehicle.',
      cost: 'Cost with taxes',
      costHelp: 'Goes into the logbook and the costs of the vehicle.',
      managed: 'Kind, interval and date follow what the entry comes from.',
    },
  },
};
