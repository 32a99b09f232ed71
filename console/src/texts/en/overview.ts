import { plural } from '../plural.ts';

const form = plural('en');

export const overview = {
  overview: {
    counts: 'The fleet in numbers',
    kinds: {
      mustNotDrive: 'Must not drive',
      overdue: 'Maintenance overdue',
      batteryLow: 'Battery low, not plugged in',
      incident: 'Other open incidents',
      dueSoon: 'Maintenance due soon',
      invoice: 'Invoices to approve',
    },
    badges: {
      mustNotDrive: 'Must not drive',
      overdue: 'Overdue',
      batteryLow: 'Battery low',
      incident: 'Incident',
      dueSoon: 'Due soon',
      invoice: 'To approve',
    },
    parts: {
      silent: 'Not heard of for a day',
      charging: 'Charging now',
      driving: 'Driving now',
      inService: 'In service',
    },
    needsYou: 'Needs you',
    showMore: (count: number) => `Show ${count} more`,
    beyond: (count: string) => `${count} more are in the lists behind the numbers above.`,
    nothing: {
      title: 'Nothing needs you',
      advice: 'What becomes due or is reported appears here.',
    },
    map: 'Where the fleet is',
    openMap: 'Open the map',
    allOnMap: (count: number, shown: string) =>
      `${shown} ${form(count, 'vehicle', 'vehicles')} with a position`,
    someOnMap: (shown: string, total: string) =>
      `The ${shown} heard of last, of ${total} with a position`,
    noPositions: 'No vehicle has reported a position yet.',
    ofState: (count: string, state: string) => `${count} × ${state}`,
    failedJobs: 'Failed in the last 7 days',
    otherJob: (name: string) => `A task of the service (${name})`,
    bySeverity: 'Open incidents by severity of damage',
    energy: 'Energy charged',
    noEnergy: 'No vehicle has charged in the last twelve months.',
    trend: (count: string, change: string) =>
      `${count} new in the last 7 days, ${change} against the 7 days before`,
    trendShort: (count: string) => `${count} new in 7 days`,
    costs: 'Costs',
    noCosts: 'No costs in the last twelve months: they come from invoices and logbooks.',
    otherCurrencies: (amounts: string) => `In other currencies, in twelve months: ${amounts}`,
    change: (change: string, month: string) => `${change} against ${month}`,
    soFar: (month: string, amount: string) => `${month} so far: ${amount}`,
  },
  jobs: {
    'recognise-incident': 'Text recognition of documents',
    'recognise-receipt': 'Text recognition of a receipt',
    'estimate-inspection': 'Estimate of the next inspection',
    'estimate-fleet': 'Estimate of the next inspection',
    'plan-fleet': 'Planning of maintenance',
    'refresh-maintenance': 'Forecast of maintenance',
    'redetect-charging-sessions': 'Detection of charging sessions',
    'close-silent-charging': 'Detection of charging sessions',
    'erase-expired-positions': 'Deletion of old positions',
    'refresh-assets': 'Pictures of vehicles',
  },
};
