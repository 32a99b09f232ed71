import { plural } from '../plural.ts';

const form = plural('de');

export const vehicles = {
  vehicles: {
    count: (count: number, shown: string) => `${shown} ${form(count, 'Fahrzeug', 'Fahrzeuge')}`,
    model: 'Fahrzeug',
    onMap: 'Auf der Karte',
    state: 'Zustand',
    searchHint: 'Kennzeichen, FIN, Marke oder Modell',
    noneFound: {
      title: 'Kein Fahrzeug passt',
      advice:
        'Suchen Sie nach weniger, oder entfernen Sie einen Filter. Ein Teil des Kennzeichens genügt.',
    },
    none: {
      title: 'Dieser Fuhrpark hat noch keine Fahrzeuge',
      advice:
        'Legen Sie das erste an, oder importieren Sie sie in den Einstellungen aus einer CSV-Datei.',
    },
    fileName: (provider: string) => `Fahrzeuge-${provider}`,
    exported: (count: number, shown: string) =>
      `${shown} ${form(count, 'Fahrzeug', 'Fahrzeuge')} exportiert`,
  },
};
