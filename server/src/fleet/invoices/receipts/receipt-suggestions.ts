import { linesOf } from '../../../platform/text-recognition/page-text.ts';
import type {
  Box,
  RecognisedDocument,
  RecognisedPage,
  Word,
} from '../../../platform/text-recognition/recognised-document.ts';
import { isDate } from '../../../platform/time/date-time.ts';
import { decimal } from '../calculation/money.ts';

export const suggestedFields = [
  'number',
  'issueDate',
  'dueDate',
  'supplierName',
  'supplierVatId',
  'currency',
  'taxExclusiveAmount',
  'taxAmount',
  'payableAmount',
  'vehicleId',
] as const;
export type SuggestedField = (typeof suggestedFields)[number];

/** A value that a document may mean, with its place on the page as shares of its width and height. */
export type Suggestion = {
  field: SuggestedField;
  value: string;
  confidence: number;
  page: number;
  box: Box;
};

export type Line = { page: number; text: string; words: readonly Word[]; size: RecognisedPage };

export function linesOfDocument({ pages }: RecognisedDocument): Line[] {
  return pages.flatMap((size, index) =>
    linesOf(size.words).map((words) => ({
      page: index + 1,
      text: textIn(words),
      words,
      size,
    })),
  );
}

/** Bounds what searching it can cost. */
export const maxLineLength = 500;

function textIn(words: readonly Word[]): string {
  const text = words.map((word) => word.text).join(' ');
  return text.slice(0, maxLineLength).toWellFormed();
}

/** What a receipt or an invoice on paper says in German, English or French; of each field the likeliest. */
export function receiptSuggestions(lines: readonly Line[]): Suggestion[] {
  const currency = findCurrency(lines);
  return [
    find(lines, 'number', 0.9, numberIn),
    find(lines, 'issueDate', 0.9, (text) => dateAfter(text, issueLabel)) ??
      find(lines, 'issueDate', 0.6, dateIn),
    find(lines, 'dueDate', 0.9, (text) => dateAfter(text, dueLabel)),
    find(lines, 'supplierName', 0.7, companyIn) ??
      find(lines.slice(0, 1), 'supplierName', 0.4, (text) => text),
    find(lines, 'supplierVatId', 0.9, vatIdIn),
    currency,
    find(lines, 'taxExclusiveAmount', 0.7, (text) => amountAfter(text, netLabel)),
    find(lines, 'taxAmount', 0.7, (text) => amountAfter(text, taxLabel)),
    ...totalLabels
      .map((label, index) =>
        find(lines, 'payableAmount', 0.9 - 0.15 * index, (text) => amountAfter(text, label)),
      )
      .filter((found) => found !== undefined)
      .slice(0, 1),
  ].filter((found) => found !== undefined);
}

/** The first line that has a value; as sure as the words that were read and the rule that found it. */
function find(
  lines: readonly Line[],
  field: SuggestedField,
  certainty: number,
  valueIn: (text: string) => string | undefined,
): Suggestion | undefined {
  for (const line of lines) {
    const value = valueIn(line.text);
    if (value !== undefined && value !== '') return suggestionOf(line, field, value, certainty);
  }
  return undefined;
}

export function suggestionOf(
  { page, words, size }: Line,
  field: SuggestedField,
  value: string,
  certainty: number,
): Suggestion {
  const read = words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;
  const confidence = Math.round(certainty * read * 100) / 100;
  return {
    field,
    value: value.slice(0, 200).toWellFormed(),
    confidence,
    page,
    box: placeOf(words, size),
  };
}

function placeOf(words: readonly Word[], { width, height }: RecognisedPage): Box {
  const left = Math.min(...words.map(({ box }) => box.x));
  const top = Math.min(...words.map(({ box }) => box.y));
  const right = Math.max(...words.map(({ box }) => box.x + box.width));
  const bottom = Math.max(...words.map(({ box }) => box.y + box.height));
  const share = (value: number, of: number) =>
    Math.round(Math.min(1, Math.max(0, value / of)) * 10_000) / 10_000;
  return {
    x: share(left, width),
    y: share(top, height),
    width: share(right - left, width),
    height: share(bottom - top, height),
  };
}

const numberLabel =
  /(?:rechnungs?|beleg|quittungs?|bon|invoice|receipt|facture)[\s-]*(?:nr|nummer|no|number|n°|#)\.?\s*[:#]?\s*([A-Z0-9][\w./-]{1,40})/i;

function numberIn(text: string): string | undefined {
  const value = numberLabel.exec(text)?.[1]?.replace(/[.,]$/, '');
  return value !== undefined && /\d/.test(value) ? value : undefined;
}

const issueLabel =
  /(?:(?:rechnungs|beleg|ausstellungs|invoice|issue|receipt)[\s-]*)?(?:datum|date\b|dated)/i;
const dueLabel =
  /zahlbar\s+bis|fällig|faellig|zahlungsziel|\bdue\b|payable\s+(?:by|until)|échéance/i;

function dateAfter(text: string, label: RegExp): string | undefined {
  const found = label.exec(text);
  return found ? dateIn(text.slice(found.index)) : undefined;
}

/** Days come before months, as in Europe. */
function dateIn(text: string): string | undefined {
  const iso = /(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)/.exec(text)?.[1];
  const european = /(?<!\d)(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})(?!\d)/.exec(text);
  const [, day = '', month = '', year = ''] = european ?? [];
  const date = iso ?? `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDate(date) ? date : undefined;
}

const company =
  /\b(?:gmbh|ag|kg|ohg|ug|se|e\.?\s?k\.?|ltd|inc|sarl|sas|s\.a\.|b\.v\.|s\.r\.l\.)(?:\b|\s|$)/i;

function companyIn(text: string): string | undefined {
  const name = text.split(/[|·•,]/)[0]?.trim() ?? '';
  return company.test(name) && /\p{L}{3}/u.test(name) ? name : undefined;
}

function vatIdIn(text: string): string | undefined {
  const label = /ust|umsatzsteuer|vat|tva|uid/i.exec(text);
  const rest = label ? text.slice(label.index) : '';
  return /\b([A-Z]{2}\s?[0-9U][0-9 ]{7,13})\b/.exec(rest)?.[1]?.replaceAll(' ', '');
}

/** The surest first. */
const totalLabels = [
  /zu\s+zahlen|zahlbetrag|zahlungsbetrag|amount\s+due|balance\s+due|à\s+payer/i,
  /rechnungsbetrag|gesamtbetrag|endbetrag|bruttobetrag|grand\s+total|total\s+ttc/i,
  /\bsumme\b|\bgesamt\b|\btotal\b|\bbrutto\b/i,
];
const netLabel = /\bnetto|\bnet\b|zwischensumme|subtotal|total\s+ht/i;
const taxLabel =
  /mwst|mehrwertsteuer|umsatzsteuer(?!-)|\bust\b(?![.-]\s?id)|\bvat\b(?!\s?(?:id|no))|\btva\b/i;

/** The last amount of a line that has a label, in minor units of a currency with two digits. */
function amountAfter(text: string, label: RegExp): string | undefined {
  const found = label.exec(text);
  const amounts = found ? text.slice(found.index).match(money) : null;
  const last = amounts?.at(-1);
  if (last === undefined) return undefined;
  const cents = last.slice(-2);
  const whole = last.slice(0, -3).replaceAll(/[^\d-]/g, '');
  return decimal(`${whole}.${cents}`).times(100).toFixed(0);
}

const money =
  /(?<![\d.,])-?\d{1,3}(?:[.,' ]\d{3})*[.,]\d{2}(?![\d.,]|\s?%)|(?<![\d.,])-?\d+[.,]\d{2}(?![\d.,]|\s?%)/g;

const currencies: readonly [string, RegExp][] = [
  ['EUR', /€|\bEUR\b/],
  ['CHF', /\bCHF\b/],
  ['GBP', /£|\bGBP\b/],
  ['USD', /\$|\bUSD\b/],
];

function findCurrency(lines: readonly Line[]): Suggestion | undefined {
  for (const [code, pattern] of currencies) {
    const found = find(lines, 'currency', 0.9, (text) => (pattern.test(text) ? code : undefined));
    if (found) return found;
  }
  return undefined;
}
