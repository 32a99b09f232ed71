import { plural } from '../plural.ts';

const form = plural('de');

export const map = {
  map: {
    label: 'Karte der Fahrzeuge',
    asList: 'Als Liste',
    fit: 'Alle zeigen',
    inView: 'Im Ausschnitt',
    inViewCount: (count: number, shown: string) =>
      `${shown} ${form(count, 'Fahrzeug', 'Fahrzeuge')} im Ausschnitt`,
    more: (shown: string) => `und ${shown} weitere: hineinzoomen, um sie hier zu sehen.`,
    nothingInView: 'In diesem Ausschnitt ist kein Fahrzeug.',
    noPosition: (count: number, shown: string) =>
      `${shown} ${form(count, 'hat', 'haben')} keine bekannte Position.`,
    states: 'Zustände im Ausschnitt',
    showList: 'Liste zeigen',
    hideList: 'Liste ausblenden',
    close: 'Schließen',
    open: 'Fahrzeug öffnen',
    track: 'Fahrt des Tages',
    card: (plate: string) => `Fahrzeug ${plate}`,
    attribution: 'Erstellt mit Natural Earth',
    noWebGl: {
      title: 'Dieser Browser kann die Karte nicht zeichnen',
      advice:
        'Sie braucht WebGL, das hier ausgeschaltet ist oder fehlt. Die Liste zeigt dieselben Fahrzeuge.',
    },
    controls: {
      'NavigationControl.ZoomIn': 'Vergrößern',
      'NavigationControl.ZoomOut': 'Verkleinern',
      'AttributionControl.ToggleAttribution': 'Quellen der Karte',
      'Popup.Close': 'Schließen',
    },
  },
  track: {
    label: (plate: string) => `Karte der Fahrten von ${plate}`,
    day: 'Tag',
    calendar: {
      nextMonth: 'Nächster Monat',
      previousMonth: 'Voriger Monat',
      nextYear: 'Nächstes Jahr',
      previousYear: 'Voriges Jahr',
      nextDecade: 'Nächstes Jahrzehnt',
      previousDecade: 'Voriges Jahrzehnt',
      monthLevelControl: 'Monat wählen',
      yearLevelControl: 'Jahr wählen',
    },
    previousDay: 'Tag davor',
    nextDay: 'Tag danach',
    title: 'Halte',
    notDriven: 'Nicht gefahren',
    summary: (distance: string, duration: string) => `${distance} gefahren in ${duration}`,
    driven: (distance: string, duration: string) => `${distance} in ${duration}`,
    drivenFor: (duration: string) => `${duration} gefahren`,
    underway: (distance: string, time: string) => `${distance} bis ${time}, unterwegs`,
    underwayUntil: (time: string) => `Bis ${time}, unterwegs`,
    stop: (number: number) => `Halt ${number}`,
    stillThere: 'noch dort',
    none: {
      title: 'Keine Positionen an diesem Tag',
      advice: 'Das Fahrzeug hat keine gemeldet. Wählen Sie einen anderen Tag.',
    },
    notStored: {
      title: 'Positionen dieses Fahrzeugs werden nicht gespeichert',
      advice: 'Das ist für dieses Fahrzeug so festgelegt: Es gibt weder Ort noch Fahrten.',
    },
    lastDay: (day: string) => `Letzten Tag zeigen: ${day}`,
    points: (count: number, shown: string) => `${shown} ${form(count, 'Position', 'Positionen')}`,
  },
};
