import { plural } from '../plural.ts';

const form = plural('en');

export const vehicles = {
  vehicles: {
    count: (count: number, shown: string) => `${shown} ${form(count, 'vehicle', 'vehicles')}`,
    model: 'Vehicle',
    onMap: 'On the map',
    state: 'State',
    searchHint: 'Plate, VIN, make or model',
    noneFound: {
      title: 'No vehicle matches',
      advice: 'Search for less, or remove a filter. Part of a plate is enough.',
    },
    none: {
      title: 'This fleet has no vehicles yet',
      advice: 'Add the first one, or import them from a CSV file in the settings.',
    },
    fileName: (provider: string) => `vehicles-${provider}`,
    exported: (count: number, shown: string) =>
      `${shown} ${form(count, 'vehicle', 'vehicles')} exported`,
  },
};
