export const tour = {
  tour: {
    step: (step: number, steps: number) => `Rundgang durch die Demo, ${step} von ${steps}`,
    next: 'Weiter',
    back: 'Zurück',
    skip: 'Rundgang beenden',
    end: 'Fertig',
    again: 'Rundgang durch die Demo',
    steps: [
      {
        title: 'Was Sie heute braucht',
        text: 'Jede Zahl öffnet die Liste dahinter. Darunter steht das Dringendste zuerst, gleich welcher Art.',
      },
      {
        title: 'Wo alles ist',
        text: 'Die Fahrzeuge der Demo fahren, während Sie zusehen. Ein Klick zeigt den Zustand und die Spur eines Tages.',
      },
      {
        title: 'Alle Fahrzeuge, wie Sie sie brauchen',
        text: 'Suchen Sie mit dem halben Kennzeichen, filtern Sie nach jedem Feld, wählen Sie Spalten, und speichern Sie das als Ansicht für alle. Strg K findet Fahrzeuge und Seiten von überall.',
      },
      {
        title: 'Schäden auf einer Zeichnung',
        text: 'Öffnen Sie einen Vorfall und klicken Sie auf die beschädigte Stelle. Aus Fotos und Papieren werden Angaben vorgeschlagen.',
      },
      {
        title: 'Was fällig ist, und warum',
        text: 'Wartungen und Prüfungen werden aus Kilometern und Regeln vorhergesagt. Ist eine erledigt, wird die nächste geplant.',
      },
    ],
  },
};
