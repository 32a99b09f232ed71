import type { SearchMode } from '../../../platform/search/request-schema.ts';
import { inTextColumns } from '../../../platform/search/search-sql.ts';
import type { TextSql } from '../../../platform/search/searchable.ts';
import { type Bind, escapeLike, matches } from '../../../platform/search/text-sql.ts';
import { indexTrigrams, type Trigrams } from './index-trigrams.ts';

export const textColumns = [
  'v.vin',
  'v.license_plate',
  'v.vendor',
  'v.model',
  'v.variant',
] as const;

const linesOf = (columns: readonly string[]) =>
  columns.map((column) => `coalesce(${column}, '')`).join(` || e'\\n' || `);
/** Plates and VINs, without their spaces and hyphens. */
const identity = `compact_text(${linesOf(textColumns.slice(0, 2))})`;
const description = `folded_text(${linesOf(textColumns.slice(2))})`;

/** In SQL: that every word of the patterns, none of which has a hyphen, is in one of the columns. */
export function hasWords(patterns: string): string {
  const folded = `array(select folded_text(one) from unnest(${patterns}) one)`;
  return `(${identity} || e'\\n' || ${description}) like all (${folded})`;
}

/** In SQL: that the column of all lines has the text, which has no line break. */
export function hasText(pattern: string): string {
  return matches('v.search_text', pattern);
}

/** In SQL: that the index has the vehicle, of the provider $1, under each of the trigrams. */
export function hasTrigrams(placeholders: readonly string[]): string {
  return placeholders
    .map(
      (one) =>
        `search_trigrams(v.provider, v.search_text) @> array[$1::text || ' ' || ${one}::text]`,
    )
    .join(' and ');
}

export const vehicleTextSql: TextSql = (text, mode, bind) => {
  const { trigrams, ...parts } = parseText(text, mode);
  const conditions = trigrams ? [hasTrigrams(trigrams.map((one) => bind(one)))] : [];
  if (mode === 'words') {
    conditions.push(hasWords(`${bind(parts.plain.map(patternOf))}::text[]`));
    conditions.push(...parts.hyphenated.map((word) => hasHyphenated(word, bind)));
  } else if (text.includes('\n')) conditions.push(inTextColumns({ textColumns })(text, mode, bind));
  else conditions.push(hasText(bind(patternOf(text))));
  return conditions.join(' and ');
};

/** A hyphen counts in a make, a model or a variant. */
function hasHyphenated(word: string, bind: Bind): string {
  const pattern = `${bind(patternOf(word))}::text`;
  return `(${identity} like compact_text(${pattern}) or ${description} like folded_text(${pattern}))`;
}

export type ParsedText = {
  plain: readonly string[];
  hyphenated: readonly string[];
  /** For the index; undefined where it cannot find the text. */
  trigrams: Trigrams | undefined;
};

const hyphens = /[-\u2010-\u2015\u2212]/;

/** The words of a text; literally, it is one. */
export function parseText(text: string, mode: SearchMode): ParsedText {
  if (mode === 'literal') {
    const trigrams = text.includes('\n') ? undefined : indexTrigrams([text]);
    return { plain: [text], hyphenated: [], trigrams };
  }
  const words = [...new Set(text.split(/\s+/u))].filter((word) =>
    /[^-\u2010-\u2015\u2212]/.test(word),
  );
  return {
    plain: words.filter((word) => !hyphens.test(word)),
    hyphenated: words.filter((word) => hyphens.test(word)),
    trigrams: indexTrigrams(words),
  };
}

export function patternOf(text: string): string {
  return `%${escapeLike(text)}%`;
}
