import { plural } from '../plural.ts';

const form = plural('de');
const months = (count: number) => `${count} ${form(count, 'Monat', 'Monate')}`;

export const maintenance = {
  maintenance: {
    count: (count: number, shown: string) => `${shown} ${form(count, 'Eintrag', 'Einträge')}`,
    views: 'Ansicht',
    list: 'Liste',
    calendar: 'Kalender',
    states: 'Zustand',
    all: 'Alle',
    searchHint: 'Kennzeichen, Titel oder Notizen',
    plan: 'Wartung planen',
    planned: (plate: string) => `Für ${plate} geplant`,
    edit: 'Bearbeiten',
    editTitle: 'Wartung bearbeiten',
    saved: 'Gespeichert',
    complete: 'Als erledigt melden',
    completeTitle: (title: string) => `Erledigt: ${title}`,
    completed: (plate: string, title: string) => `${plate}: ${title} ist erledigt`,
    next: (date: string) => `Das nächste Mal am ${date}.`,
    delete: 'Aus dem Plan nehmen',
    deleteTitle: 'Aus dem Plan nehmen?',
    deleteText: (title: string, plate: string) =>
      `„${title}“ von ${plate} verlässt den Plan. Was schon getan wurde, bleibt im Fahrzeugbuch.`,
    deleted: 'Aus dem Plan genommen',
    overdueBefore: (count: number, shown: string) =>
      `${shown} ${form(count, 'Eintrag ist', 'Einträge sind')} überfällig`,
    more: (count: number) => `${count} weitere`,
    previousMonth: 'Voriger Monat',
    nextMonth: 'Nächster Monat',
    today: 'Heute',
    ofDay: (date: string) => `Fällig am ${date}`,
    forecastMark: 'Prognose',
    none: {
      title: 'Noch ist nichts geplant',
      advice:
        'Geplante und vorhergesagte Wartungen, Hauptuntersuchungen und Reparaturen stehen dann hier.',
    },
    noneFound: {
      title: 'Nichts passt',
      advice: 'Weniger suchen oder einen Filter entfernen.',
    },
    why: 'Begründung',
    details: 'Einzelheiten',
    lastDone: 'Zuletzt erledigt',
    never: 'Nicht erfasst',
    columns: {
      vehicle: 'Fahrzeug',
      title: 'Was',
      status: 'Zustand',
      soonest: 'Fällig',
      reason: 'Grund',
    },
    fields: {
      type: 'Art',
      source: 'Herkunft',
      title: 'Titel',
      vehicleId: 'Fahrzeug-ID',
      dueDate: 'Fällig am',
      dueOdometer: 'Fällig bei',
      forecastDate: 'Prognose',
      lastDoneDate: 'Zuletzt erledigt',
    },
    types: {
      service: 'Service',
      inspection: 'Untersuchung',
      repair: 'Reparatur',
      tyres: 'Reifen',
      other: 'Sonstiges',
    },
    sourceNames: {
      manual: 'Eine Person',
      schedule: 'Ein Wartungsplan',
      vehicle: 'Das Fahrzeug',
      inspection: 'Die Untersuchungsfrist',
    },
    sources: {
      manual: 'Von einer Person geplant',
      schedule: 'Von einem Wartungsplan der Flotte geplant',
      vehicle: 'Das Fahrzeug meldet selbst, wann sein Service fällig ist',
      inspection: 'Nach der Regel für wiederkehrende Untersuchungen geschätzt',
    },
    reasons: {
      inspection: 'Wiederkehrende Untersuchung, gesetzlich',
      vehicle: 'Vom Fahrzeug gemeldet',
      byHand: 'Für diesen Tag geplant',
      schedule: 'Von einem Wartungsplan geplant',
      reaches: (distance: string) => `Erreicht dann ${distance}`,
      atOdometer: (distance: string) => `Fällig bei ${distance}`,
      after: (count: number, date: string) => `${months(count)} nach dem ${date}`,
      everyMonths: (count: number) => `Alle ${months(count)}`,
      calendar: (names: string) => `Jedes Jahr im ${names}`,
      everyDistance: (distance: string) => `Alle ${distance}`,
      afterDistance: (distance: string, last: string) =>
        `${distance} nach dem letzten Mal bei ${last}`,
      forecast: (distance: string, date: string) =>
        `Nach dem Mittel der letzten 90 Tage erreicht das Fahrzeug ${distance} am ${date}`,
      noForecast: (distance: string) =>
        `Fällig bei ${distance}; für eine Prognose wurde zu wenig gefahren`,
      rule: (country: string, intervals: readonly number[]) =>
        intervals.length > 1
          ? `Regel für ${country}: ${intervals.slice(0, -1).map(months).join(', dann ')} nach der Erstzulassung, danach alle ${months(intervals.at(-1) ?? 0)}`
          : `Regel für ${country}: alle ${months(intervals[0] ?? 0)}`,
      lastInspection: (date: string) => `Zuletzt bestanden am ${date}`,
      registered: (date: string) => `Erstzulassung am ${date}; keine Untersuchung erfasst`,
      noBasis: 'Weder Erstzulassung noch Untersuchung sind erfasst',
      confidence: {
        high: 'Der Termin ist sicher',
        medium: 'Der Termin ist wahrscheinlich',
        low: 'Der Termin ist unsicher',
      },
    },
    form: {
      vehicle: 'Fahrzeug',
      title: 'Was zu tun ist',
      type: 'Art',
      dueDate: 'Fällig am',
      dueOdometer: 'Fällig bei (km)',
      intervalMonths: 'Wiederholt sich alle (Monate)',
      intervalDistance: 'Wiederholt sich alle (km)',
      notes: 'Notizen',
      dueHelp: 'Ein Tag, ein Kilometerstand oder ein Abstand; was zuerst eintritt, zählt.',
      dueNeeded: 'Bitte angeben, wann es fällig ist: Tag, Kilometerstand oder Abstand.',
      doneOn: 'Erledigt am',
      odometer: 'Kilometerstand',
      odometerHelp: 'Leer: der Stand des Tages aus der Historie des Fahrzeugs.',
      cost: 'Kosten mit Steuern',
      costHelp: 'Geht in das Fahrzeugbuch und die Kosten des Fahrzeugs ein.',
      managed: 'Art, Abstand und Termin folgen der Herkunft des Eintrags.',
    },
  },
};
