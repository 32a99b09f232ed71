import { linesOf } from '../../../platform/text-recognition/page-text.ts';
import type {
  Box,
  RecognisedPage,
  Word,
} from '../../../platform/text-recognition/recognised-document.ts';

export type Range = { from: number; to: number };
/** Of the two vehicles, from left to right, and where they begin. */
export type Columns = { a: Range; b: Range; top: number };

export type TickedCircumstance = { number: number; box: Box };
type Ticked = readonly TickedCircumstance[];

const lastCircumstance = 17;

/** The numbers of the circumstances whose boxes are ticked, on the side of each vehicle. */
export function tickedCircumstances(
  page: RecognisedPage,
  { a, b, top }: Columns,
): { a: Ticked; b: Ticked } {
  const middle = (box: Box) => box.x + box.width / 2;
  const between = page.words.filter(
    ({ box }) => box.y > top - page.height / 50 && middle(box) > a.to && middle(box) < b.from,
  );
  const items = findItems(between);
  if (items.length < lastCircumstance / 2) return { a: [], b: [] };
  const textStart = median(items.map(({ box }) => box.x));
  const ticks = ticksOf(page).filter(({ y }) => {
    const first = items[0]?.box.y ?? 0;
    const last = items.at(-1)?.box.y ?? 0;
    return y > first - (last - first) / 17 && y < last + (last - first) / 17;
  });
  const numbersOf = (marks: readonly Box[]): Ticked =>
    marks.flatMap((box) => {
      const number = nearestItem(items, box);
      return number === undefined ? [] : [{ number, box }];
    });
  const centre = (a.to + b.from) / 2;
  return {
    a: numbersOf(
      ticks.filter((box) => middle(box) < textStart && middle(box) > a.to - page.width / 10),
    ),
    b: numbersOf(
      ticks.filter((box) => middle(box) > centre && middle(box) < b.from + page.width / 40),
    ),
  };
}

type Item = { number: number; box: Box };

/** Lines that begin with the number of a circumstance, in ascending order. */
function findItems(words: readonly Word[]): Item[] {
  const found: Item[] = [];
  for (const line of linesOf(words)) {
    const index = line.findIndex(({ text }) => /^\d{1,2}[.)]?$/.test(text));
    const start = line[index];
    if (!start || index > 2 || line.length < index + 2) continue;
    const number = Number.parseInt(start.text, 10);
    const last = found.at(-1)?.number ?? 0;
    if (number > last && number <= lastCircumstance && number <= last + 4) {
      found.push({ number, box: start.box });
    }
  }
  return found;
}

function nearestItem(items: readonly Item[], tick: Box): number | undefined {
  const centre = tick.y + tick.height / 2;
  const distance = ({ box }: Item) => Math.abs(box.y + box.height / 2 - centre);
  const nearest = items.reduce<Item | undefined>(
    (best, item) => (!best || distance(item) < distance(best) ? item : best),
    undefined,
  );
  if (!nearest) return undefined;
  return distance(nearest) < 1.5 * Math.max(tick.height, nearest.box.height)
    ? nearest.number
    : undefined;
}

/** Boxes that are ticked in the picture, and crosses that were typed. */
function ticksOf({ tickBoxes, words }: RecognisedPage): Box[] {
  const boxes = tickBoxes.flatMap(({ box, isTicked }) => (isTicked ? [box] : []));
  const typed = words.filter(({ text }) => /^[[(]?[xX×✗☒][\])]?$/.test(text)).map(({ box }) => box);
  const isNew = (cross: Box) =>
    !boxes.some(
      (box) => Math.abs(box.x - cross.x) < box.width && Math.abs(box.y - cross.y) < box.height,
    );
  return [...boxes, ...typed.filter(isNew)].sort((a, b) => a.y - b.y);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
