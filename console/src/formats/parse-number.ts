/**
 * The number that somebody has typed or pasted, whichever of comma and point they separate decimals by; undefined for what is none.
 * What both could mean, such as `1,234`, is read as the locale does, and in a field of whole numbers as thousands.
 */
export function parseNumber(
  text: string,
  locale: string,
  { isWhole = false }: { isWhole?: boolean } = {},
): number | undefined {
  const sign = /^\s*[-−–]/.test(text) ? -1 : 1;
  // Currencies, units and spaces come along with what is pasted.
  const plain = text.replace(/[^\d.,]/g, '');
  if (!/\d/.test(plain)) return undefined;
  const decimal = decimalOf(plain, isWhole ? undefined : decimalSeparatorOf(locale));
  if (decimal === undefined) return sign * Number(plain.replace(/[.,]/g, ''));
  const [whole = '', fraction = '', ...others] = plain.split(decimal);
  if (others.length > 0 || /[.,]/.test(fraction)) return undefined;
  return sign * Number(`${whole.replace(/[.,]/g, '')}.${fraction}`);
}

/** The separator of the decimals; undefined where there are thousands alone. */
function decimalOf(plain: string, usual: string | undefined): string | undefined {
  const last = plain.match(/[.,](?=\d*$)/)?.[0];
  if (last === undefined) return undefined;
  const hasBoth = plain.includes('.') && plain.includes(',');
  if (hasBoth) return last;
  const [whole = '', digits = '', ...others] = plain.split(last);
  if (others.length > 0) return undefined;
  const couldBeThousands = digits.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  return couldBeThousands && last !== usual ? undefined : last;
}

const decimalSeparatorOf = (locale: string): string | undefined =>
  new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;
