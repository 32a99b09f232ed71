import { plural } from '../plural.ts';

const form = plural('de');

export const overview = {
  overview: {
    counts: 'Der Fuhrpark in Zahlen',
    kinds: {
      mustNotDrive: 'Dürfen nicht fahren',
      overdue: 'Wartung überfällig',
      batteryLow: 'Batterie schwach, nicht angesteckt',
      incident: 'Weitere offene Vorfälle',
      dueSoon: 'Wartung bald fällig',
      invoice: 'Rechnungen freizugeben',
    },
    badges: {
      mustNotDrive: 'Darf nicht fahren',
      overdue: 'Überfällig',
      batteryLow: 'Batterie schwach',
      incident: 'Vorfall',
      dueSoon: 'Bald fällig',
      invoice: 'Freizugeben',
    },
    parts: {
      silent: 'Seit einem Tag ohne Nachricht',
      charging: 'Laden gerade',
      driving: 'Fahren gerade',
      inService: 'In Betrieb',
    },
    needsYou: 'Zu erledigen',
    showMore: (count: number) => `${count} weitere zeigen`,
    beyond: (count: string) => `${count} weitere stehen in den Listen hinter den Zahlen oben.`,
    nothing: {
      title: 'Nichts zu erledigen',
      advice: 'Was fällig wird oder gemeldet wird, erscheint hier.',
    },
    map: 'Wo der Fuhrpark ist',
    openMap: 'Karte öffnen',
    allOnMap: (count: number, shown: string) =>
      `${shown} ${form(count, 'Fahrzeug', 'Fahrzeuge')} mit Position`,
    someOnMap: (shown: string, total: string) =>
      `Die ${shown} zuletzt gehörten von ${total} mit Position`,
    noPositions: 'Noch hat kein Fahrzeug eine Position gemeldet.',
    ofState: (count: string, state: string) => `${count} × ${state}`,
    failedJobs: 'In den letzten 7 Tagen gescheitert',
    otherJob: (name: string) => `Eine Aufgabe des Dienstes (${name})`,
    bySeverity: 'Offene Vorfälle nach Schwere der Schäden',
    energy: 'Geladene Energie',
    noEnergy: 'In den letzten zwölf Monaten hat kein Fahrzeug geladen.',
    trend: (count: string, change: string) =>
      `${count} neu in den letzten 7 Tagen, ${change} gegenüber den 7 Tagen davor`,
    trendShort: (count: string) => `${count} neu in 7 Tagen`,
    costs: 'Kosten',
    noCosts:
      'Keine Kosten in den letzten zwölf Monaten: sie kommen aus Rechnungen und Fahrtenbüchern.',
    otherCurrencies: (amounts: string) => `In anderen Währungen, in zwölf Monaten: ${amounts}`,
    change: (change: string, month: string) => `${change} gegenüber ${month}`,
    soFar: (month: string, amount: string) => `${month} bisher: ${amount}`,
  },
  jobs: {
    'recognise-incident': 'Texterkennung von Dokumenten',
    'recognise-receipt': 'Texterkennung eines Belegs',
    'estimate-inspection': 'Schätzung der nächsten Prüfung',
    'estimate-fleet': 'Schätzung der nächsten Prüfung',
    'plan-fleet': 'Planung der Wartung',
    'refresh-maintenance': 'Vorhersage der Wartung',
    'redetect-charging-sessions': 'Erkennung von Ladevorgängen',
    'close-silent-charging': 'Erkennung von Ladevorgängen',
    'erase-expired-positions': 'Löschung alter Positionen',
    'refresh-assets': 'Bilder der Fahrzeuge',
  },
};
