import { plural } from '../plural.ts';

const form = plural('de');

/** Die Reiter eines Fahrzeugs: Laden, Fahrzeugbuch, Checkliste und Fahrer. */
export const vehicleRecords = {
  charging: {
    energy: 'Energie nach Monat',
    cost: 'Kosten nach Tarif',
    level: 'Ladestand im Verlauf',
    sessions: 'Ladevorgänge',
    time: 'Zeit',
    begin: 'Beginn',
    duration: 'Dauer',
    levels: 'Ladestand',
    charged: 'Energie',
    running: 'Lädt',
    fromTo: (from: string, to: string) => `${from} → ${to}`,
    sum: (energy: string, count: string) =>
      `${energy} in ${count} Ladevorgängen, letzte zwölf Monate`,
    costSum: (amount: string) => `${amount}, letzte zwölf Monate`,
    noCost: 'Weder abgerechnet, noch gibt es einen Standardtarif im Profil der Flotte.',
    standard: 'Standardtarif',
    standardAt: (price: string) => `Standardtarif ${price}/kWh, geschätzt`,
    logbook: 'Vor Ort bezahlt',
    noLevel: 'Das Fahrzeug hat seinen Ladestand währenddessen nicht gemeldet.',
    basis: {
      measured: 'von einem Zähler gemessen',
      estimated: 'aus dem Ladestand geschätzt',
      mixed: 'teilweise gemessen',
    },
    none: {
      title: 'Keine Ladevorgänge in den letzten zwölf Monaten',
      advice: 'Sie erscheinen, wenn das Fahrzeug das Laden meldet oder ein Client sie erfasst.',
    },
  },
  logbookCategories: {
    fuel: 'Kraftstoff',
    charging: 'Laden',
    service: 'Service',
    repair: 'Reparatur',
    inspection: 'Untersuchung',
    tyres: 'Reifen',
    cleaning: 'Reinigung',
    toll: 'Maut',
    parking: 'Parken',
    fine: 'Bußgeld',
    insurance: 'Versicherung',
    tax: 'Steuer',
    accident: 'Unfall',
    other: 'Sonstiges',
  },
  logbook: {
    add: 'Eintrag hinzufügen',
    editTitle: 'Eintrag bearbeiten',
    edit: (title: string) => `${title} bearbeiten`,
    delete: (title: string) => `${title} löschen`,
    deleteEntry: 'Eintrag löschen',
    deleteTitle: 'Eintrag löschen?',
    deleteText: (title: string, files: number) =>
      files > 0
        ? `„${title}“ und ${form(files, 'seine Datei', `seine ${files} Dateien`)} werden gelöscht. Das lässt sich nicht rückgängig machen.`
        : `„${title}“ wird gelöscht. Das lässt sich nicht rückgängig machen.`,
    deleted: 'Eintrag gelöscht',
    saved: 'Eintrag gespeichert',
    category: 'Kategorie',
    allCategories: 'Alle Kategorien',
    searchHint: 'Titel oder Beschreibung',
    none: {
      title: 'Das Fahrzeugbuch ist leer',
      advice:
        'Hier steht, was mit dem Fahrzeug geschieht: Tanken, Service, Bußgelder, mit Belegen.',
    },
    noneFound: {
      title: 'Kein Eintrag passt',
      advice: 'Weniger suchen oder alle Kategorien wählen.',
    },
    form: {
      title: 'Was geschah',
      date: 'Datum',
      odometer: 'Kilometerstand',
      cost: 'Kosten mit Steuern',
      description: 'Beschreibung',
      tags: 'Schlagwörter',
    },
  },
  checklist: {
    apply: 'Vorlage anwenden',
    applied: (count: number) => `${count} ${form(count, 'Eintrag', 'Einträge')} hinzugefügt`,
    template: (name: string, count: number) =>
      `${name} (${count} ${form(count, 'Eintrag', 'Einträge')})`,
    progress: (done: string, all: string) => `${done} von ${all} erledigt`,
    missing: (count: number) => `${count} erforderlich`,
    flagged: (count: number) => `${count} auffällig`,
    failed: (count: number) => `${count} nicht in Ordnung`,
    required: 'Erforderlich',
    until: (date: string) => `bis ${date}`,
    results: { pass: 'In Ordnung', flag: 'Auffällig', fail: 'Nicht in Ordnung' },
    resultOf: (title: string) => `Ergebnis von ${title}`,
    comment: 'Bemerkung',
    commentOf: (title: string) => `Bemerkung zu ${title}`,
    none: {
      title: 'Nichts zu prüfen',
      advice: 'Eine Vorlage anwenden, um ihre Fragen an dieses Fahrzeug zu stellen.',
    },
  },
  drivers: {
    title: 'Wer wann gefahren ist',
    driver: 'Fahrer',
    provider: 'Anbieter',
    from: 'Von',
    until: 'Bis',
    now: 'Fährt jetzt',
    erased: 'Gelöscht',
    at: 'Wer fuhr am',
    atHelp: 'Der Zeitpunkt eines Bußgelds oder Schadens',
    add: 'Fahrer hinzufügen',
    added: 'Fahrer hinzugefügt',
    remove: 'Entfernen',
    removeTitle: 'Fahrer entfernen?',
    removeText: (id: string) =>
      `${id} fährt dieses Fahrzeug nicht mehr. Dass bis jetzt gefahren wurde, bleibt erfasst.`,
    removed: 'Fahrer entfernt',
    none: { title: 'Keine Fahrer', advice: 'Einen Kunden hinzufügen, der das Fahrzeug fährt.' },
    noneThen: {
      title: 'Niemand fuhr es dann',
      advice: 'Einen anderen Zeitpunkt wählen oder das Feld leeren.',
    },
  },
};
