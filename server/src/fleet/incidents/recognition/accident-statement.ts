import { linesOf } from '../../../platform/text-recognition/page-text.ts';
import type {
  RecognisedPage,
  Word,
} from '../../../platform/text-recognition/recognised-document.ts';
import {
  fieldLabels,
  headLabels,
  remarksLabels,
  rowBelowLabels,
  sectionLabels,
  signatureLabels,
} from './statement-labels.ts';
import {
  type Columns,
  type Range,
  type TickedCircumstance,
  tickedCircumstances,
} from './ticked-circumstances.ts';
import { labelAtStart, lettersOfWord, matchLabel, unionOf } from './words.ts';

type Words = readonly Word[];

/** The fields of the European accident statement as words; what is not found has none. */
export type StatementFields = {
  date: Words;
  time: Words;
  place: Words;
  a: PartyFields;
  b: PartyFields;
};

export type PartyFields = {
  policyholder: Words;
  licensePlate: Words;
  insurer: Words;
  policyNumber: Words;
  driverName: Words;
  driverFirstName: Words;
  damage: Words;
  remarks: Words;
  circumstances: readonly TickedCircumstance[];
};

/** Undefined where the page is no accident statement. */
export function readAccidentStatement(given: RecognisedPage): StatementFields | undefined {
  const page = { ...given, words: given.words.filter((word) => !isTickBox(word, given)) };
  const columns = findColumns(page);
  if (!columns) return undefined;
  const remarks = readRemarks(page, columns);
  const ticked = tickedCircumstances(page, columns);
  const party = (side: 'a' | 'b'): PartyFields => ({
    ...readParty(wordsWithin(page.words, columns[side])),
    remarks: remarks[side],
    circumstances: ticked[side],
  });
  return { ...readHead(page), a: party('a'), b: party('b') };
}

/** Whether a tick box was read as a word. */
function isTickBox({ box }: Word, { tickBoxes }: RecognisedPage): boolean {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return tickBoxes.some(
    ({ box: tick }) =>
      x > tick.x && x < tick.x + tick.width && y > tick.y && y < tick.y + tick.height,
  );
}

/** The part of the page that is printed: around it, a scan may have a wide margin. */
function printedPart({ words }: RecognisedPage) {
  const xs = words.flatMap(({ box }) => [box.x, box.x + box.width]).sort((a, b) => a - b);
  const ys = words.flatMap(({ box }) => [box.y, box.y + box.height]).sort((a, b) => a - b);
  const outliers = Math.floor(xs.length / 100);
  const [left = 0, right = 0] = [xs.at(outliers), xs.at(-1 - outliers)];
  const [top = 0, bottom = 0] = [ys.at(outliers), ys.at(-1 - outliers)];
  return { left, right, top, bottom, width: right - left, height: bottom - top };
}

/** The columns of the two vehicles, by the labels that stand in both. */
function findColumns(page: RecognisedPage): Columns | undefined {
  const { words } = page;
  const { left: start, right: end, width } = printedPart(page);
  const starts: { x: number; y: number }[][] = [];
  const { vehicle: _, ...sections } = sectionLabels;
  for (const phrases of Object.values(sections)) {
    const found = phrases.flatMap((phrase) => findLabel(words, phrase));
    const left = found.filter(({ box }) => box.x < start + 0.4 * width);
    const right = found.filter(({ box }) => box.x > start + 0.5 * width);
    if (left[0] && right[0]) starts.push([left[0].box, right[0].box]);
  }
  if (starts.length < 2) return undefined;
  const a = median(starts.map(([left]) => left?.x ?? 0));
  const b = median(starts.map(([, right]) => right?.x ?? 0));
  const margin = 0.02 * width;
  // The form is symmetrical: the left column is as wide as the right one.
  const span = Math.max(0.31 * width, end - b);
  return {
    a: { from: start - margin, to: Math.min(a + span, b - margin) },
    b: { from: b - margin, to: end + margin },
    top: Math.min(...starts.flat().map(({ y }) => y)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

type Label = { box: Word['box']; words: Words };

function findLabel(words: Words, phrase: string): Label[] {
  return linesOf(words).flatMap((line) =>
    line.flatMap((word, index) => {
      if (lettersOfWord(word) === '') return [];
      const used = matchLabel(line, phrase, index);
      if (used === 0) return [];
      const found = line.slice(index, index + used);
      return [{ box: unionOf(found.map(({ box }) => box)), words: found }];
    }),
  );
}

function findFirst(words: Words, phrases: readonly string[]): Label | undefined {
  for (const phrase of phrases) {
    const [first] = findLabel(words, phrase).sort((a, b) => a.box.y - b.box.y);
    if (first) return first;
  }
  return undefined;
}

function wordsWithin(words: Words, { from, to }: Range): Words {
  return words.filter(({ box }) => {
    const middle = box.x + box.width / 2;
    return middle >= from && middle <= to;
  });
}

/** Date, time and place stand below their labels, side by side. */
function readHead(page: RecognisedPage): Pick<StatementFields, 'date' | 'time' | 'place'> {
  const printed = printedPart(page);
  const top = page.words.filter(({ box }) => box.y < printed.top + 0.35 * printed.height);
  const date = findFirst(top, headLabels.date);
  if (!date) return { date: [], time: [], place: [] };
  const { y, height } = date.box;
  const beside = (box: Word['box']) => Math.abs(box.y - y) < 2 * height;
  const row = top.filter(({ box }) => beside(box) && box.x > date.box.x + date.box.width);
  const time = findFirst(row, headLabels.time);
  const place = findFirst(row, headLabels.place);
  const injured = findFirst(row, headLabels.injured);
  const labels = [date, time, place, injured].flatMap((label) => label ?? []);
  const bottom = Math.min(
    y + 6 * height,
    ...Object.values(rowBelowLabels).map(
      (phrases) => findFirst(top, phrases)?.box.y ?? Number.POSITIVE_INFINITY,
    ),
  );
  const below = (label: Label | undefined): Words => {
    if (!label) return [];
    const next = labels.filter(({ box }) => box.x > label.box.x).map(({ box }) => box.x);
    // The number of a label stands before it.
    const to = Math.min(page.width, ...next) - 2 * height;
    const from = label.box.x - 2.5 * height;
    const found = wordsWithin(top, { from, to }).filter(
      ({ box }) => box.y + box.height / 2 > y + 1.4 * height && box.y + box.height / 2 < bottom,
    );
    return linesOf(found).flat();
  };
  return { date: below(date), time: below(time), place: below(place) };
}

type Party = Omit<PartyFields, 'remarks' | 'circumstances'>;
type Field = keyof typeof fieldLabels;
type Section = keyof typeof sectionLabels;

/** Fields that tell their section, where its header is not readable. */
const sectionOf: Partial<Record<Field, Section>> = {
  make: 'vehicle',
  licensePlate: 'vehicle',
  policyNumber: 'insurer',
};

/** The sections of a column, and the fields of each: what follows a label in its line, and the lines without one. */
function readParty(words: Words): Party {
  const values = new Map<string, Word[]>();
  let section: Section | undefined;
  let field: Field | 'text' = 'text';
  for (const line of linesOf(words)) {
    const header = labelAtStart(line, sectionLabels);
    if (header) {
      section = header.name;
      field = 'text';
      continue;
    }
    if (labelAtStart(line, { ...remarksLabels, ...signatureLabels, sketch: sketchLabels })) break;
    const label = labelAtStart(line, fieldLabels);
    if (label) {
      field = label.name;
      section = sectionOf[label.name] ?? section;
    }
    const key = `${section}.${field}`;
    const value = values.get(key) ?? [];
    value.push(...line.slice(label?.used ?? 0));
    values.set(key, value);
  }
  const value = (key: `${Section}.${Field | 'text'}`) => values.get(key) ?? [];
  return {
    policyholder: value('policyholder.name'),
    licensePlate: value('vehicle.licensePlate'),
    insurer: value('insurer.name'),
    policyNumber: value('insurer.policyNumber'),
    driverName: value('driver.name'),
    driverFirstName: value('driver.firstName'),
    damage: value('damage.text'),
  };
}

const sketchLabels = ['unfallskizze', 'sketch of', 'skizze'];

/** The remarks of both sides stand side by side at the foot, each below its label. */
function readRemarks(page: RecognisedPage, { b }: Columns): { a: Words; b: Words } {
  const printed = printedPart(page);
  const foot = page.words.filter(({ box }) => box.y > printed.top + 0.5 * printed.height);
  const label = findFirst(foot, remarksLabels.remarks);
  if (!label) return { a: [], b: [] };
  const end = findFirst(foot, signatureLabels.signature)?.box.y ?? page.height;
  const labels = remarksLabels.remarks
    .flatMap((phrase) => findLabel(foot, phrase))
    .filter(({ box }) => Math.abs(box.y - label.box.y) < 2 * label.box.height);
  const right = labels
    .map(({ box }) => box.x)
    .filter((x) => x > printed.left + 0.4 * printed.width);
  // The number of a label stands before it.
  const split = Math.min(...right, b.from + 3 * label.box.height) - 3 * label.box.height;
  const lines = (range: Range) => {
    const from = label.box.y + 1.4 * label.box.height;
    const found = wordsWithin(foot, range).filter(
      ({ box }) => box.y + box.height / 2 > from && box.y + box.height / 2 < end,
    );
    return linesOf(found).flat();
  };
  return { a: lines({ from: 0, to: split }), b: lines({ from: split, to: page.width }) };
}
