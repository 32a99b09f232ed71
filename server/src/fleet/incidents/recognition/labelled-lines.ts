import { linesOf } from '../../../platform/text-recognition/page-text.ts';
import type {
  RecognisedPage,
  Word,
} from '../../../platform/text-recognition/recognised-document.ts';
import { labelAtStart } from './words.ts';

/** What a letter or a report calls the fields, at the start of a line. */
const labels = {
  date: [
    'datum des unfalls',
    'unfalldatum',
    'unfalltag',
    'schadentag',
    'schadendatum',
    'datum',
    'date of accident',
    'date of incident',
    'date of loss',
    'accident date',
    'date and time',
    'date',
    'when',
    'wann',
  ],
  time: ['uhrzeit', 'unfallzeit', 'zeit', 'time of accident', 'time of incident', 'time'],
  place: [
    'ort des unfalls',
    'unfallort',
    'schadenort',
    'ort',
    'place of accident',
    'place',
    'location',
    'where',
    'wo',
  ],
  licensePlate: [
    'amtliches kennzeichen',
    'amtl kennzeichen',
    'kennzeichen',
    'registration number',
    'registration no',
    'registration',
    'licence plate',
    'license plate',
    'number plate',
  ],
  cause: ['unfallursache', 'schadenursache', 'ursache', 'cause of accident', 'cause', 'reason'],
  description: [
    'unfallhergang',
    'schadenhergang',
    'hergang',
    'schilderung',
    'beschreibung',
    'what happened',
    'description',
    'details',
  ],
  driver: ['fahrer', 'fahrerin', 'lenker', 'name des fahrers', 'driver', 'name of driver'],
  opponent: [
    'unfallgegner',
    'gegner',
    'beteiligter',
    'anderer beteiligter',
    'other party',
    'other driver',
    'third party',
  ],
} as const;

export type LabelledField = keyof typeof labels;

const paragraphs = new Set<LabelledField>(['description', 'cause', 'place']);

/** The fields of a page whose lines begin with labels; a paragraph goes on until the next label, or a gap. */
export function readLabelledLines(page: RecognisedPage): Map<LabelledField, Word[]> {
  const found = new Map<LabelledField, Word[]>();
  let current: LabelledField | undefined;
  let bottom = 0;
  for (const line of linesOf(page.words)) {
    const [first] = line;
    if (!first) continue;
    const label = labelAtStart(line, labels);
    const gap = first.box.y - bottom;
    bottom = first.box.y + first.box.height;
    if (label && isLabel(line, label.used)) {
      current = found.has(label.name) ? undefined : label.name;
      if (current) found.set(current, line.slice(label.used).filter(isText));
      continue;
    }
    const value = current && found.get(current);
    if (!current || !value) continue;
    const goesOn = value.length === 0 || paragraphs.has(current);
    if (!goesOn || gap > 1.2 * first.box.height || endsLabel(line)) current = undefined;
    else value.push(...line.filter(isText));
  }
  return found;
}

/** A colon, a gap, or the end of the line follows; otherwise it is a word in a sentence. */
function isLabel(line: readonly Word[], used: number): boolean {
  const last = line[used - 1];
  const next = line[used];
  if (!last || !next || /[:=]$/.test(last.text) || /^[:=]/.test(next.text)) return true;
  return next.box.x - last.box.x - last.box.width > 0.8 * last.box.height;
}

/** The line begins with a label that is not known. */
function endsLabel([first, second]: readonly Word[]): boolean {
  return /\p{L}:$/u.test(first?.text ?? '') || /\p{L}:$/u.test(second?.text ?? '');
}

function isText({ text }: Word): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
