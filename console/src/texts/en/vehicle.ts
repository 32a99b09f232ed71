export const vehicle = {
  vehicle: {
    summary: 'Summary',
    model: 'Vehicle',
    picture: (model: string) => `Picture of ${model}`,
    groups: {
      energy: 'Energy',
      access: 'Doors and lights',
      tyres: 'Tyres',
      service: 'Distance and service',
      registration: 'Vehicle',
    },
    notReported: 'The vehicle has not reported any of these.',
    overdueBy: (distance: string) => `${distance} overdue`,
    openIncidents: 'Open incidents',
    noIncidents: 'None: nothing is left to do.',
    nextMaintenance: 'Next maintenance',
    noMaintenance: 'None is planned.',
    mustNotDrive: 'Must not drive',
    at: (distance: string) => `at ${distance}`,
  },
};
