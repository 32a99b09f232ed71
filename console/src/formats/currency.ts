/** How many digits the minor unit of a currency has. */
export function digitsOf(currency: string): number {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    // Not a code yet, while somebody types.
    return 2;
  }
}

/** An amount of the interface in the major unit. */
export const majorOf = (minor: number, currency: string): number =>
  minor / 10 ** digitsOf(currency);

export const minorOf = (major: number, currency: string): number =>
  Math.round(major * 10 ** digitsOf(currency));
