import { apply, identity } from '../../../platform/text-recognition/matrix.ts';
import type {
  Box,
  RecognisedPage,
  Word,
} from '../../../platform/text-recognition/recognised-document.ts';

export function textIn(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ');
}

/** The mean of the words, each as long as it is. */
export function confidenceOf(words: readonly Word[]): number {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const sum = words.reduce((all, { text, confidence }) => all + text.length * confidence, 0);
  return letters === 0 ? 0 : sum / letters;
}

export function unionOf(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** Where boxes are on the page as it was uploaded, as shares of its width and height. */
export function placeOf({ width, height, picture }: RecognisedPage, boxes: readonly Box[]): Box {
  const { x, y, width: w, height: h } = unionOf(boxes);
  const corners = [
    { x, y },
    { x: x + w, y },
    { x: x + w, y: y + h },
    { x, y: y + h },
  ].map((corner) => apply(picture?.fromPage ?? identity, corner));
  const left = Math.min(...corners.map((corner) => corner.x));
  const top = Math.min(...corners.map((corner) => corner.y));
  const full = picture ?? { width, height };
  const share = (value: number, of: number) =>
    Math.round(Math.min(1, Math.max(0, value / of)) * 10_000) / 10_000;
  return {
    x: share(left, full.width),
    y: share(top, full.height),
    width: share(Math.max(...corners.map((corner) => corner.x)) - left, full.width),
    height: share(Math.max(...corners.map((corner) => corner.y)) - top, full.height),
  };
}

/** Small letters without diacritics; what stands between letters is left out. */
export function lettersOf(text: string): string {
  return text
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}

const letters = new WeakMap<Word, string>();

/** The same, remembered: every word is compared with every label. */
export function lettersOfWord(word: Word): string {
  const known = letters.get(word) ?? lettersOf(word.text);
  letters.set(word, known);
  return known;
}

/** Whether a word is another one, but for a misread letter in every four. */
function isSimilar(text: string, expected: string): boolean {
  const allowed = Math.floor(expected.length / 4);
  if (Math.abs(text.length - expected.length) > allowed) return false;
  return editDistance(text, expected) <= allowed;
}

export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const tokens = new Map<string, readonly string[]>();

/** Remembered, as there are few labels and many words. */
function tokensOf(label: string): readonly string[] {
  const known = tokens.get(label) ?? label.split(' ');
  tokens.set(label, known);
  return known;
}

/** How many of the words, from one on, make up a label; 0 when they do not. */
export function matchLabel(words: readonly Word[], label: string, start = 0): number {
  let next = start;
  for (const token of tokensOf(label)) {
    let word = words[next];
    while (word && lettersOfWord(word) === '') word = words[++next];
    if (!isSimilar(word ? lettersOfWord(word) : '', token)) return 0;
    next++;
  }
  return next - start;
}

/** The longest of the labels that a line begins with. */
export function labelAtStart<Name extends string>(
  line: readonly Word[],
  labels: Readonly<Record<Name, readonly string[]>>,
): { name: Name; used: number } | undefined {
  let best: { name: Name; used: number } | undefined;
  for (const [name, phrases] of Object.entries(labels) as [Name, readonly string[]][]) {
    for (const phrase of phrases) {
      const used = matchLabel(line, phrase);
      if (used > (best?.used ?? 0)) best = { name, used };
    }
  }
  return best;
}
