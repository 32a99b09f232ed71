import { plural } from '../plural.ts';

const form = plural('en');
const vehicles = (count: number, shown: string) => `${shown} ${form(count, 'vehicle', 'vehicles')}`;

export const views = {
  views: {
    views: 'Views',
    all: 'All vehicles',
    save: 'Save view',
    saveChanges: 'Save changes',
    saveAsNew: 'Save as a new view',
    undo: 'Undo changes',
    changed: 'changed',
    menu: (name: string) => `Menu of the view ${name}`,
    rename: 'Rename',
    createTitle: 'Save this view',
    renameTitle: 'Rename the view',
    name: 'Name',
    nameHelp: 'Everybody in this fleet sees the view: search, filters, order and columns.',
    create: 'Save view',
    created: (name: string) => `“${name}” is saved for everybody`,
    replaceText: (name: string) =>
      `“${name}” has another search, other filters, another order or other columns by now. “Undo changes” shows them; yours would replace them for everybody.`,
    replace: 'Replace theirs',
    deleteTitle: (name: string) => `Delete the view “${name}”?`,
    deleteText: 'It is gone for everybody. The vehicles stay as they are.',
    deleteConfirm: 'Delete view',
  },
  bulk: {
    selection: 'Selected vehicles',
    selected: (shown: string) => `${shown} selected`,
    selectAll: (shown: string) => `Select all ${shown}`,
    clear: 'Clear selection',
    activate: 'Put into service',
    deactivate: 'Take out of service',
    plan: 'Plan workshop date',
    schedule: 'Assign a schedule',
    template: 'Apply a checklist',
    titles: {
      activate: (count: number, shown: string) => `Put ${vehicles(count, shown)} into service`,
      deactivate: (count: number, shown: string) => `Take ${vehicles(count, shown)} out of service`,
      plan: (count: number, shown: string) => `Plan a workshop date for ${vehicles(count, shown)}`,
      schedule: (count: number, shown: string) => `Assign a schedule to ${vehicles(count, shown)}`,
      template: (count: number, shown: string) => `Apply a checklist to ${vehicles(count, shown)}`,
    },
    about: {
      activate: 'They are shown in searches and maps, and their messages are accepted.',
      deactivate: 'Messages of their boxes are refused until they are put into service again.',
      plan: 'Each vehicle gets this work in its plan, due on the same day.',
      schedule:
        'Each vehicle gets its own planned work with the intervals of the schedule, also where the schedule is for other makes.',
      template: 'All checks of the template are added to the checklist of each vehicle.',
    },
    scheduleLabel: 'Schedule',
    templateLabel: 'Checklist template',
    noSchedules: 'There are no schedules yet: make one in the settings.',
    noTemplates: 'There are no templates yet: make one in the settings.',
    progress: (done: string, total: string) => `${done} of ${total}`,
    waiting: 'The service asks for a pause…',
    stop: 'Stop',
    allDone: (count: number, shown: string) => `Done for ${vehicles(count, shown)}`,
    someFailed: (done: string, failed: string) => `${done} done, ${failed} failed`,
    stopped: (done: string, left: string) => `Stopped: ${done} done, ${left} not begun`,
    stoppedAndFailed: (done: string, failed: string, left: string) =>
      `Stopped: ${done} done, ${failed} failed, ${left} not begun`,
    failed: 'What failed',
    retry: (shown: string) => `Try the ${shown} again`,
    resume: (shown: string) => `Do the other ${shown}`,
    vehicle: 'Vehicle',
    reason: 'Reason',
  },
};
