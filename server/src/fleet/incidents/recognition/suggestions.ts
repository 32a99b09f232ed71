import type {
  Box,
  RecognisedDocument,
  RecognisedPage,
  Word,
} from '../../../platform/text-recognition/recognised-document.ts';
import { instantIn } from '../../../platform/time/time-zone.ts';
import { type PartyFields, readAccidentStatement } from './accident-statement.ts';
import { circumstances, type FormLanguage } from './circumstances.ts';
import { findDate, findTime } from './date-time.ts';
import { readLabelledLines } from './labelled-lines.ts';
import { isPlateLike, plateMatch } from './license-plate.ts';
import { confidenceOf, lettersOf, placeOf, textIn } from './words.ts';

export const suggestedFields = [
  'incidentTimestamp',
  'location',
  'licensePlate',
  'cause',
  'description',
  'driver',
  'opponent',
] as const;
export type SuggestedField = (typeof suggestedFields)[number];

/** What a document seems to say of a field, and where. */
export type Suggestion = {
  field: SuggestedField;
  value: string;
  /** From 0 to 1. */
  confidence: number;
  /** From 1. */
  page: number;
  /** As shares of the width and the height of the page as it was uploaded. */
  box: Box;
};

export type SuggestionContext = {
  /** The plate of the vehicle that the incident belongs to. */
  licensePlate: string | undefined;
  timeZone: string;
  now: Date;
};

/** The suggestions of all pages; of a field, those of the first page that has it. */
export function suggestionsOf(
  document: RecognisedDocument,
  context: SuggestionContext,
): Suggestion[] {
  const found = new Map<SuggestedField, Suggestion>();
  document.pages.forEach((page, index) => {
    const drafts = draftsOfStatement(page, context) ?? draftsOfLetter(page, context);
    for (const {
      field,
      value,
      words,
      boxes = words.map(({ box }) => box),
      certainty = 1,
    } of drafts) {
      if (value === undefined || value === '' || found.has(field) || boxes.length === 0) continue;
      const confidence = words.length > 0 ? confidenceOf(words) : 1;
      found.set(field, {
        field,
        value: value.slice(0, maxValueLength).toWellFormed(),
        confidence: Math.round(confidence * certainty * 100) / 100,
        page: index + 1,
        box: placeOf(page, boxes),
      });
    }
  });
  return suggestedFields.flatMap((field) => found.get(field) ?? []);
}

// As much as a field of an incident may have.
export const maxValueLength = 10_000;

type Draft = {
  field: SuggestedField;
  value: string | undefined;
  words: readonly Word[];
  boxes?: readonly Box[];
  certainty?: number;
};

const guess = 0.5;

function draftsOfStatement(page: RecognisedPage, context: SuggestionContext): Draft[] | undefined {
  const statement = readAccidentStatement(page);
  if (!statement) return undefined;
  const { date, time, place, a, b } = statement;
  const shared: Draft[] = [
    ...timestampDraft(date, time, context),
    { field: 'location', value: textIn(place), words: place },
  ];
  const match = (party: PartyFields) =>
    context.licensePlate === undefined
      ? 0
      : plateMatch(textIn(party.licensePlate), context.licensePlate);
  const [ofA, ofB] = [match(a), match(b)];
  // Without the plate, nobody can tell which of the two vehicles is ours.
  if (ofA === ofB) return shared;
  const [own, other, certainty] = ofA > ofB ? [a, b, ofA] : [b, a, ofB];
  const description = own.remarks.length > 0 ? own.remarks : own.damage;
  const driver = [...own.driverFirstName, ...own.driverName];
  const language = languageOf(page);
  return [
    ...shared,
    {
      field: 'licensePlate',
      value: context.licensePlate,
      words: own.licensePlate,
      certainty,
    },
    {
      field: 'cause',
      value: causeOf(own, other, language),
      words: [],
      boxes: [...own.circumstances, ...other.circumstances].map(({ box }) => box),
      certainty: 0.9 * certainty,
    },
    { field: 'description', value: textIn(description), words: description, certainty },
    { field: 'driver', value: textIn(driver), words: driver, certainty },
    opponentDraft(other, certainty),
  ];
}

function opponentDraft(other: PartyFields, certainty: number): Draft {
  const driver = [...other.driverFirstName, ...other.driverName];
  const person = driver.length > 0 ? driver : other.policyholder;
  const parts = [person, other.licensePlate, other.insurer, other.policyNumber].filter(
    (words) => words.length > 0,
  );
  return { field: 'opponent', value: parts.map(textIn).join(', '), words: parts.flat(), certainty };
}

const sides = {
  de: ['Eigenes Fahrzeug', 'Anderes Fahrzeug'],
  en: ['Own vehicle', 'Other vehicle'],
} as const;

function causeOf(own: PartyFields, other: PartyFields, language: FormLanguage): string {
  return [own, other]
    .flatMap(({ circumstances: ticked }, index) => {
      const texts = ticked.map(({ number }) => circumstances[language][number - 1]);
      return texts.length === 0 ? [] : `${sides[language][index]}: ${texts.join('; ')}.`;
    })
    .join(' ');
}

function languageOf({ words }: RecognisedPage): FormLanguage {
  const german = new Set(['der', 'die', 'das', 'und', 'ein', 'einen', 'fahrzeug', 'datum', 'ort']);
  return words.some(({ text }) => german.has(lettersOf(text))) ? 'de' : 'en';
}

function draftsOfLetter(page: RecognisedPage, context: SuggestionContext): Draft[] {
  const lines = readLabelledLines(page);
  const draft = (field: SuggestedField & (typeof plainFields)[number]): Draft => {
    const words = lines.get(field) ?? [];
    return { field, value: textIn(words), words };
  };
  const place = lines.get('place') ?? [];
  return [
    ...timestampDraft(
      lines.get('date') ?? [],
      lines.get('time') ?? lines.get('date') ?? [],
      context,
    ),
    { field: 'location', value: textIn(place), words: place },
    ...plateDraft(page, lines.get('licensePlate') ?? [], context),
    ...plainFields.map(draft),
  ];
}

const plainFields = ['cause', 'description', 'driver', 'opponent'] as const;

/** The plate of the vehicle, wherever it stands; otherwise what is labelled as one. */
function plateDraft(
  { words }: RecognisedPage,
  labelled: readonly Word[],
  { licensePlate }: SuggestionContext,
): Draft[] {
  const candidates = words.flatMap((_, index) =>
    [1, 2, 3].map((count) => words.slice(index, index + count)),
  );
  const own =
    licensePlate === undefined
      ? undefined
      : candidates.find((some) => plateMatch(textIn(some), licensePlate) === 1);
  if (own) return [{ field: 'licensePlate', value: licensePlate, words: own }];
  const value = textIn(labelled);
  return isPlateLike(value)
    ? [{ field: 'licensePlate', value, words: labelled, certainty: guess }]
    : [];
}

/** A date without a time is one that begins, with less confidence. */
function timestampDraft(
  dateWords: readonly Word[],
  timeWords: readonly Word[],
  { timeZone, now }: SuggestionContext,
): Draft[] {
  const date = findDate(textIn(dateWords));
  if (date === undefined) return [];
  const withoutDate = timeWords === dateWords ? textAfterDate(timeWords) : textIn(timeWords);
  const time = findTime(withoutDate);
  const instant = instantIn(timeZone, date, time ?? '00:00');
  if (instant > now) return [];
  const isApart = timeWords !== dateWords && time !== undefined;
  return [
    {
      field: 'incidentTimestamp',
      value: instant.toISOString(),
      words: [...dateWords, ...(isApart ? timeWords : [])],
      certainty: time === undefined ? guess : 1,
    },
  ];
}

/** Without the date, whose day and month may look like a time. */
function textAfterDate(words: readonly Word[]): string {
  const last = words.findLastIndex(({ text }) => /\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{2}/.test(text));
  return textIn(words.slice(last + 1));
}
