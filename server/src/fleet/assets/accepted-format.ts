import type { ImageFormat } from '../../platform/images/rendition.ts';

/**
 * The format that an Accept header prefers, by the weights of RFC 9110; undefined where it excludes both. AVIF is smaller,
 * but it is sent to those alone who name it: not everything that accepts anything can show it.
 */
export function acceptedFormat(accept: string | undefined): ImageFormat | undefined {
  if (accept === undefined || accept.trim() === '') return 'webp';
  const ranges = accept.split(',').map(parseRange);
  const webp = weightOf('webp', ranges);
  const avif = weightOf('avif', ranges);
  if (webp === 0 && avif === 0) return undefined;
  const namesAvif = ranges.some(({ type }) => type === 'image/avif');
  if (avif > webp) return 'avif';
  return avif === webp && namesAvif ? 'avif' : 'webp';
}

type Range = { type: string; weight: number };

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const weight = q === undefined ? 1 : Number(q);
  return { type, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}

/** The most specific range that the format falls under decides. */
function weightOf(format: ImageFormat, ranges: readonly Range[]): number {
  for (const name of [`image/${format}`, 'image/*', '*/*']) {
    const found = ranges.find(({ type }) => type === name);
    if (found) return found.weight;
  }
  return 0;
}
