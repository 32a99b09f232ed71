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
    nothing: {
      title: 'Nothing needs you',
      advice: 'What becomes due or is reported appears here.',
    },
    bySeverity: 'Open incidents by severity of damage',
    energy: 'Energy charged',
    noEnergy: 'No vehicle has charged in the last twelve months.',
    trend: (count: string, change: string) =>
      `${count} new in the last 7 days, ${change} against the 7 days before`,
    trendShort: (change: string) => `${change} on last week`,
    costs: 'Costs',
    noCosts: 'No costs in the last twelve months: they come from invoices and logbooks.',
    change: (change: string, month: string) => `${change} against ${month}`,
    soFar: (month: string, amount: string) => `${month} so far: ${amount}`,
  },
};
