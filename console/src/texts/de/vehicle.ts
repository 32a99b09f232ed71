export const vehicle = {
  vehicle: {
    summary: 'Zusammenfassung',
    model: 'Fahrzeug',
    picture: (model: string) => `Bild: ${model}`,
    groups: {
      energy: 'Energie',
      access: 'Türen und Licht',
      tyres: 'Reifen',
      service: 'Kilometer und Service',
      registration: 'Fahrzeug',
    },
    notReported: 'Das Fahrzeug hat nichts davon gemeldet.',
    overdueBy: (distance: string) => `${distance} überfällig`,
    openIncidents: 'Offene Vorfälle',
    noIncidents: 'Keine: es ist nichts zu tun.',
    nextMaintenance: 'Nächste Wartung',
    noMaintenance: 'Keine geplant.',
    mustNotDrive: 'Darf nicht fahren',
    at: (distance: string) => `bei ${distance}`,
  },
};
