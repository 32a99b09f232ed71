export const feedback = {
  feedback: {
    requestId: 'Anfrage-ID',
    tryAgain: 'Noch einmal versuchen',
    unreachable: {
      title: 'Der Dienst antwortet nicht',
      advice: 'Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    },
    broken: {
      title: 'Auf dieser Seite ist etwas schiefgegangen',
      advice: 'Versuchen Sie es noch einmal. Hilft das nicht, laden Sie die Seite neu.',
    },
    refused: {
      title: 'Das dürfen Sie nicht sehen',
      advice: 'Ihre Rolle erlaubt es nicht. Die Verwaltung Ihres Fuhrparks kann das ändern.',
    },
    missing: {
      title: 'Das gibt es nicht',
      advice: 'Es wurde gelöscht, oder die Adresse ist falsch.',
    },
    conflict: {
      title: 'Jemand anders hat es geändert',
      advice: 'Laden Sie es neu und ändern Sie es dann.',
    },
    tooMany: {
      title: 'Zu viele Anfragen',
      advice: 'Warten Sie einen Augenblick und versuchen Sie es noch einmal.',
    },
    failed: {
      title: 'Der Dienst konnte nicht antworten',
      advice:
        'Versuchen Sie es gleich noch einmal. Bleibt es dabei, nennen Sie dem Betreiber die Anfrage-ID.',
    },
    invalid: {
      title: 'Der Dienst hat die Anfrage nicht verstanden',
      advice: 'Setzen Sie Suche und Filter zurück und versuchen Sie es noch einmal.',
    },
    kinds: {
      'own-access': {
        title: 'Sie würden sich selbst aussperren',
        advice:
          'Niemand kann die eigene Administration beenden, damit ein Fuhrpark immer jemanden dafür hat. Lassen Sie es eine andere Person tun.',
      },
      'name-taken': { title: 'Der Name ist vergeben', advice: 'Wählen Sie einen anderen.' },
      'username-taken': {
        title: 'Der Benutzername ist vergeben',
        advice: 'Wählen Sie einen anderen.',
      },
      'vehicle-paired': {
        title: 'Das Fahrzeug hat eine andere Box',
        advice: 'Entfernen Sie diese zuerst, oder wählen Sie ein anderes Fahrzeug.',
      },
      'vin-taken': {
        title: 'Ein anderes Fahrzeug in Betrieb hat diese FIN',
        advice:
          'Berichtigen Sie die FIN, oder nehmen Sie das andere Fahrzeug zuerst außer Betrieb.',
      },
      'exists-already': { title: 'Das gibt es schon', advice: 'Wählen Sie eine andere ID.' },
      'external-issuer': {
        title: 'Ein anderer Server verwaltet den Zugang',
        advice: 'Clients und Personen werden dort verwaltet, wo sie sich anmelden.',
      },
    } as Record<string, { title: string; advice: string }>,
    noPage: {
      title: 'Diese Seite gibt es nicht',
      advice: 'Die Adresse gehört zu einer anderen Version oder ist vertippt.',
      action: 'Zur Übersicht',
    },
  },
  values: {
    never: 'nie',
    lastHeard: (age: string) => `Zuletzt gehört ${age}`,
    copy: 'Kopieren',
    copied: 'Kopiert',
    copyId: (id: string) => `${id} kopieren`,
  },
};
