/**
 * The number that somebody has typed or pasted, whichever of comma and point they separate decimals by; undefined for what is none.
 * What both could mean, such as `1,234`, is read as the locale does, and in a field of whole numbers as thousands. There, the locale's
 * separator of thousands never begins decimals, wherever digits were added or removed.
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
  const decimal = decimalOf(plain, separatorsOf(locale), isWhole);
  if (decimal === undefined) return sign * Number(plain.replace(/[.,]/g, ''));
  const [whole = '', fraction = '', ...others] = plain.split(decimal);
  if (others.length > 0 || /[.,]/.test(fraction)) return undefined;
  return sign * Number(`${whole.replace(/[.,]/g, '')}.${fraction}`);
}

type Separators = { decimal: string | undefined; group: string | undefined };

/** The separator of the decimals; undefined where there are thousands alone. */
function decimalOf(plain: string, usual: Separators, isWhole: boolean): string | undefined {
  const last = plain.match(/[.,](?=\d*$)/)?.[0];
  if (last === undefined) return undefined;
  const hasBoth = plain.includes('.') && plain.includes(',');
  if (hasBoth) return last;
  if (isWhole && last === usual.group) return undefined;
  const [whole = '', digits = '', ...others] = plain.split(last);
  if (others.length > 0) return undefined;
  const couldBeThousands = digits.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  return couldBeThousands && (isWhole || last !== usual.decimal) ? undefined : last;
}

function separatorsOf(locale: string): Separators {
  const parts = new Intl.NumberFormat(locale).formatToParts(12_345.5);
  const partOf = (name: 'decimal' | 'group') => parts.find(({ type }) => type === name)?.value;
  return { decimal: partOf('decimal'), group: partOf('group') };
}
