/** Those of ISO 4217, by which the service calculates; what a browser knows of currencies differs. All others have two. */
const digits = new Map<string, number>(
  [
    ['BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', 0] as const,
    ['BHD IQD JOD KWD LYD OMR TND', 3] as const,
    ['CLF UYW', 4] as const,
  ].flatMap(([currencies, count]) => currencies.split(' ').map((currency) => [currency, count])),
);

/** How many digits the minor unit of a currency has. */
export const digitsOf = (currency: string): number => digits.get(currency) ?? 2;

/** An amount of the interface in the major unit. */
export const majorOf = (minor: number, currency: string): number =>
  minor / 10 ** digitsOf(currency);

export const minorOf = (major: number, currency: string): number =>
  Math.round(major * 10 ** digitsOf(currency));
