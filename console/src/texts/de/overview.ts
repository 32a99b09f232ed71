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
    needsYou: 'Braucht Sie',
    showMore: (count: number) => `${count} weitere zeigen`,
    nothing: {
      title: 'Nichts braucht Sie',
      advice: 'Was fällig wird oder gemeldet wird, erscheint hier.',
    },
    bySeverity: 'Offene Vorfälle nach Schwere der Schäden',
    energy: 'Geladene Energie',
    noEnergy: 'In den letzten zwölf Monaten hat kein Fahrzeug geladen.',
    trend: (count: string, change: string) =>
      `${count} neu in den letzten 7 Tagen, ${change} gegenüber den 7 Tagen davor`,
    trendShort: (change: string) => `${change} zur Vorwoche`,
    costs: 'Kosten',
    noCosts:
      'Keine Kosten in den letzten zwölf Monaten: sie kommen aus Rechnungen und Fahrtenbüchern.',
    change: (change: string, month: string) => `${change} gegenüber ${month}`,
    soFar: (month: string, amount: string) => `${month} bisher: ${amount}`,
  },
};
