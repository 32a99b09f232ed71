import { plural } from '../plural.ts';

const form = plural('en');

export const forms = {
  forms: {
    close: 'Close',
    cancel: 'Cancel',
    save: 'Save',
    delete: 'Delete',
    keep: 'Keep editing',
    discard: 'Discard',
    discardQuestion: 'Discard what you have entered?',
    reload: 'Load it again',
    currency: 'Currency',
    vehicleHint: 'Plate, VIN, make or model',
    nothingFound: 'Nothing found',
    required: 'This is needed.',
    noDate: 'Enter the whole date, with a year of four digits.',
    noTime: 'Enter both date and time, with a year of four digits.',
    pastOnly: 'A day that has passed, or today.',
    outOfBounds: (minimum: string, maximum: string | undefined) =>
      maximum === undefined ? `${minimum} or more.` : `From ${minimum} to ${maximum}.`,
    unsaved: {
      title: 'Leave without saving?',
      text: 'What you have entered on this page is lost.',
    },
    conflict: {
      title: 'Somebody else saved first',
      advice:
        'These fields differ. What only one of you has changed is chosen already; choose the rest, and save.',
      mine: 'Yours',
      theirs: 'Theirs',
      both: 'Both of you have changed it.',
      allMine: 'Keep all of mine',
      allTheirs: 'Take all of theirs',
      takeTheirs: 'Take theirs',
      save: 'Save this choice',
    },
    customer: {
      country: 'Country code',
      code: 'Code of the provider',
      id: 'Customer id',
      help: 'As the mobility provider names the customer',
      notAnId: 'A UUID, such as 52610fa1-c447-4ecb-95bc-7f8f6cc69ff9.',
      incomplete: 'A customer has a country, a provider and an id; leave all three empty for none.',
    },
  },
  files: {
    files: 'Files',
    drop: 'Drop files here, or',
    choose: 'Choose files',
    show: (name: string) => `Show ${name}`,
    save: (name: string) => `Save ${name}`,
    remove: (name: string) => `Remove ${name}`,
    removeTitle: 'Remove the file?',
    removeText: (name: string) => `${name} is deleted. This cannot be undone.`,
    saveFile: 'Save file',
    page: (name: string, page: string) => `${name}, page ${page}`,
    pages: (count: number, shown: string, total: string) =>
      shown === total ? `${total} ${form(count, 'page', 'pages')}` : `${shown} of ${total} pages`,
    unreadable: 'This file cannot be shown. Save it to open it with another program.',
    missing: (name: string) => `${name}: not uploaded`,
  },
  charts: {
    asTable: 'Show as a table',
    asChart: 'Show as a chart',
  },
};
