import { plural } from '../plural.ts';

const form = plural('de');
const vehicles = (count: number, shown: string) =>
  `${shown} ${form(count, 'Fahrzeug', 'Fahrzeuge')}`;

export const views = {
  views: {
    views: 'Ansichten',
    all: 'Alle Fahrzeuge',
    save: 'Ansicht speichern',
    saveChanges: 'Änderungen speichern',
    saveAsNew: 'Als neue Ansicht speichern',
    undo: 'Änderungen verwerfen',
    changed: 'geändert',
    menu: (name: string) => `Menü der Ansicht ${name}`,
    rename: 'Umbenennen',
    createTitle: 'Diese Ansicht speichern',
    renameTitle: 'Ansicht umbenennen',
    name: 'Name',
    nameHelp: 'Alle in diesem Fuhrpark sehen die Ansicht: Suche, Filter, Reihenfolge und Spalten.',
    create: 'Ansicht speichern',
    created: (name: string) => `„${name}“ ist für alle gespeichert`,
    replaceText: (name: string) =>
      `„${name}“ hat inzwischen eine andere Suche, andere Filter, eine andere Reihenfolge oder andere Spalten. „Änderungen verwerfen“ zeigt sie; Ihre würden sie für alle ersetzen.`,
    replace: 'Andere Fassung ersetzen',
    deleteTitle: (name: string) => `Ansicht „${name}“ löschen?`,
    deleteText: 'Sie ist für alle weg. Die Fahrzeuge bleiben, wie sie sind.',
    deleteConfirm: 'Ansicht löschen',
  },
  bulk: {
    selection: 'Ausgewählte Fahrzeuge',
    selected: (shown: string) => `${shown} ausgewählt`,
    selectAll: (shown: string) => `Alle ${shown} auswählen`,
    clear: 'Auswahl aufheben',
    activate: 'In Betrieb nehmen',
    deactivate: 'Außer Betrieb nehmen',
    plan: 'Termin planen',
    schedule: 'Plan zuweisen',
    template: 'Checkliste anwenden',
    titles: {
      activate: (count: number, shown: string) => `${vehicles(count, shown)} in Betrieb nehmen`,
      deactivate: (count: number, shown: string) =>
        `${vehicles(count, shown)} außer Betrieb nehmen`,
      plan: (count: number, shown: string) => `Werkstatttermin planen: ${vehicles(count, shown)}`,
      schedule: (count: number, shown: string) =>
        `Wartungsplan zuweisen: ${vehicles(count, shown)}`,
      template: (count: number, shown: string) => `Checkliste anwenden: ${vehicles(count, shown)}`,
    },
    about: {
      activate: 'Sie erscheinen in Suche und Karte, und ihre Meldungen werden angenommen.',
      deactivate: 'Meldungen ihrer Boxen werden abgelehnt, bis sie wieder in Betrieb sind.',
      plan: 'Jedes Fahrzeug bekommt diese Arbeit in seinen Plan, fällig am selben Tag.',
      schedule:
        'Jedes Fahrzeug bekommt eigene geplante Arbeiten mit den Abständen des Plans, auch wenn er für andere Marken ist.',
      template: 'Alle Prüfungen der Vorlage kommen auf die Checkliste jedes Fahrzeugs.',
    },
    scheduleLabel: 'Wartungsplan',
    templateLabel: 'Checklistenvorlage',
    noSchedules: 'Noch keine Pläne: legen Sie einen in den Einstellungen an.',
    noTemplates: 'Noch keine Vorlagen: legen Sie eine in den Einstellungen an.',
    progress: (done: string, total: string) => `${done} von ${total}`,
    waiting: 'Der Dienst bittet um eine Pause…',
    stop: 'Anhalten',
    allDone: (count: number, shown: string) => `Fertig für ${vehicles(count, shown)}`,
    someFailed: (done: string, failed: string) => `${done} erledigt, ${failed} gescheitert`,
    stopped: (done: string, left: string) => `Angehalten: ${done} erledigt, ${left} nicht begonnen`,
    stoppedAndFailed: (done: string, failed: string, left: string) =>
      `Angehalten: ${done} erledigt, ${failed} gescheitert, ${left} nicht begonnen`,
    failed: 'Was gescheitert ist',
    retry: (shown: string) => `Die ${shown} erneut versuchen`,
    resume: (shown: string) => `Mit den übrigen ${shown} fortfahren`,
    vehicle: 'Fahrzeug',
    reason: 'Grund',
  },
};
