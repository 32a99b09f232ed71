/** The labels of the European accident statement in German and English: letters alone, words apart. */

/** Of the row at the top. */
export const headLabels = {
  date: ['datum des unfalls', 'date of accident', 'unfalldatum', 'datum', 'date'],
  time: ['uhrzeit', 'zeit', 'time'],
  place: ['ort', 'unfallort', 'place', 'location', 'localisation'],
  injured: ['verletzte', 'verletzte(r)', 'injuries', 'injury'],
} as const;

/** Of the row below it. */
export const rowBelowLabels = {
  otherDamage: ['andere sachschaden', 'sachschaden', 'other material', 'material damage'],
  witnesses: ['zeugen', 'witnesses'],
} as const;

/** Of the sections in the column of a vehicle. */
export const sectionLabels = {
  policyholder: ['versicherungsnehmer', 'versicherter', 'policyholder', 'insured'],
  vehicle: ['fahrzeug', 'kraftfahrzeug', 'vehicle', 'motor'],
  insurer: ['versicherungsgesellschaft', 'versicherer', 'insurance company', 'insurance'],
  driver: ['fahrer', 'lenker', 'driver'],
  impact: [
    'ursprunglicher aufprallpunkt',
    'aufprallpunkt',
    'bezeichnen sie',
    'point of',
    'indicate',
  ],
  damage: ['sichtbare schaden', 'visible damage'],
} as const;

/** Of the fields in a section. */
export const fieldLabels = {
  firstName: ['vorname', 'first name', 'forename', 'christian name'],
  name: ['name', 'nachname', 'surname'],
  address: ['anschrift', 'adresse', 'address'],
  make: ['marke typ', 'marke', 'make type', 'make'],
  licensePlate: [
    'amtl kennzeichen',
    'amtliches kennzeichen',
    'kennzeichen',
    'registration no',
    'registration number',
    'registration',
  ],
  policyNumber: [
    'vertragsnr',
    'vertrags nr',
    'policy no',
    'policy number',
    'versicherungsscheinnr',
  ],
  other: [
    'plz',
    'postcode',
    'land',
    'country',
    'tel',
    'telefon',
    'telephone',
    'geburtsdatum',
    'date of birth',
    'fuhrerschein',
    'fuhrerscheinnr',
    'driving licence',
    'driving license',
    'kategorie',
    'category',
    'gultig',
    'valid',
    'grune karte',
    'green card',
    'anhanger',
    'trailer',
    'geschaftsstelle',
    'agency',
  ],
} as const;

/** Of the fields below the columns. */
export const remarksLabels = {
  remarks: ['meine bemerkungen', 'bemerkungen', 'my remarks', 'remarks'],
} as const;
export const signatureLabels = {
  signature: ['unterschriften', 'unterschrift', 'signatures', 'signature'],
} as const;
