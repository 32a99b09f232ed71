import { plural } from '../plural.ts';

const form = plural('de');

export const forms = {
  forms: {
    close: 'Schließen',
    cancel: 'Abbrechen',
    save: 'Speichern',
    delete: 'Löschen',
    keep: 'Weiter bearbeiten',
    discard: 'Verwerfen',
    discardQuestion: 'Eingaben verwerfen?',
    reload: 'Neu laden',
    currency: 'Währung',
    vehicleHint: 'Kennzeichen, FIN, Marke oder Modell',
    nothingFound: 'Nichts gefunden',
    required: 'Bitte ausfüllen.',
    noDate: 'Bitte das ganze Datum eingeben, das Jahr vierstellig.',
    noTime: 'Bitte Datum und Uhrzeit eingeben, das Jahr vierstellig.',
    pastOnly: 'Ein vergangener Tag oder heute.',
    outOfBounds: (minimum: string, maximum: string | undefined) =>
      maximum === undefined ? `${minimum} oder mehr.` : `Von ${minimum} bis ${maximum}.`,
    unsaved: {
      title: 'Ohne Speichern verlassen?',
      text: 'Was Sie auf dieser Seite eingegeben haben, geht verloren.',
    },
    conflict: {
      title: 'Jemand anders hat zuerst gespeichert',
      advice:
        'Diese Felder unterscheiden sich. Was nur einer von Ihnen geändert hat, ist schon gewählt; wählen Sie den Rest und speichern Sie.',
      mine: 'Ihre Fassung',
      theirs: 'Andere Fassung',
      both: 'Sie haben es beide geändert.',
      allMine: 'Alles von mir behalten',
      allTheirs: 'Alles vom anderen übernehmen',
      takeTheirs: 'Andere Fassung übernehmen',
      save: 'Diese Auswahl speichern',
    },
    customer: {
      country: 'Ländercode',
      code: 'Code des Anbieters',
      id: 'Kunden-ID',
      help: 'Wie der Mobilitätsanbieter den Kunden nennt',
      notAnId: 'Eine UUID wie 52610fa1-c447-4ecb-95bc-7f8f6cc69ff9.',
      incomplete: 'Ein Kunde hat Land, Anbieter und Kennung; ohne Kunden bleiben alle drei leer.',
    },
  },
  files: {
    files: 'Dateien',
    drop: 'Dateien hierher ziehen, oder',
    choose: 'Dateien auswählen',
    show: (name: string) => `${name} anzeigen`,
    save: (name: string) => `${name} speichern`,
    remove: (name: string) => `${name} entfernen`,
    removeTitle: 'Datei entfernen?',
    removeText: (name: string) => `${name} wird gelöscht. Das lässt sich nicht rückgängig machen.`,
    saveFile: 'Datei speichern',
    page: (name: string, page: string) => `${name}, Seite ${page}`,
    pages: (count: number, shown: string, total: string) =>
      shown === total
        ? `${total} ${form(count, 'Seite', 'Seiten')}`
        : `${shown} von ${total} Seiten`,
    unreadable:
      'Diese Datei lässt sich nicht anzeigen. Speichern Sie sie, um sie mit einem anderen Programm zu öffnen.',
    missing: (name: string) => `${name}: nicht hochgeladen`,
  },
  charts: {
    asTable: 'Als Tabelle zeigen',
    asChart: 'Als Diagramm zeigen',
  },
};
