import type { Profile } from './profile.ts';

/** The time zone in which most people of a country live, and its currency. */
const countries: Record<string, readonly [timeZone: string, currency: string]> = {
  AL: ['Europe/Tirane', 'ALL'],
  AT: ['Europe/Vienna', 'EUR'],
  BA: ['Europe/Sarajevo', 'BAM'],
  BE: ['Europe/Brussels', 'EUR'],
  BG: ['Europe/Sofia', 'EUR'],
  CH: ['Europe/Zurich', 'CHF'],
  CY: ['Asia/Nicosia', 'EUR'],
  CZ: ['Europe/Prague', 'CZK'],
  DE: ['Europe/Berlin', 'EUR'],
  DK: ['Europe/Copenhagen', 'DKK'],
  EE: ['Europe/Tallinn', 'EUR'],
  ES: ['Europe/Madrid', 'EUR'],
  FI: ['Europe/Helsinki', 'EUR'],
  FR: ['Europe/Paris', 'EUR'],
  GB: ['Europe/London', 'GBP'],
  GR: ['Europe/Athens', 'EUR'],
  HR: ['Europe/Zagreb', 'EUR'],
  HU: ['Europe/Budapest', 'HUF'],
  IE: ['Europe/Dublin', 'EUR'],
  IS: ['Atlantic/Reykjavik', 'ISK'],
  IT: ['Europe/Rome', 'EUR'],
  LI: ['Europe/Vaduz', 'CHF'],
  LT: ['Europe/Vilnius', 'EUR'],
  LU: ['Europe/Luxembourg', 'EUR'],
  LV: ['Europe/Riga', 'EUR'],
  MC: ['Europe/Monaco', 'EUR'],
  MD: ['Europe/Chisinau', 'MDL'],
  ME: ['Europe/Podgorica', 'EUR'],
  MK: ['Europe/Skopje', 'MKD'],
  MT: ['Europe/Malta', 'EUR'],
  NL: ['Europe/Amsterdam', 'EUR'],
  NO: ['Europe/Oslo', 'NOK'],
  PL: ['Europe/Warsaw', 'PLN'],
  PT: ['Europe/Lisbon', 'EUR'],
  RO: ['Europe/Bucharest', 'RON'],
  RS: ['Europe/Belgrade', 'RSD'],
  SE: ['Europe/Stockholm', 'SEK'],
  SI: ['Europe/Ljubljana', 'EUR'],
  SK: ['Europe/Bratislava', 'EUR'],
  TR: ['Europe/Istanbul', 'TRY'],
  UA: ['Europe/Kyiv', 'UAH'],
};

/** What stands in for what a profile does not tell, by the country of the asset provider. */
export function profileDefaults(
  countryCode: string,
): Pick<
  Profile,
  'timeZone' | 'locale' | 'currency' | 'defaultUsage' | 'erasePositionsWithCustomer'
> {
  const [timeZone, currency] = countries[countryCode] ?? ['UTC', 'EUR'];
  return {
    timeZone,
    locale: localeOf(countryCode),
    currency,
    defaultUsage: 'private',
    erasePositionsWithCustomer: false,
  };
}

/** The most spoken language of the country, as there; English where none is known. */
function localeOf(countryCode: string): string {
  const { language, region } = new Intl.Locale('und', { region: countryCode }).maximize();
  return region === countryCode ? `${language}-${region}` : 'en';
}
