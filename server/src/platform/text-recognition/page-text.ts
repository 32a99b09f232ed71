import type { Word } from './recognised-document.ts';

/** Words as lines from top to bottom, each from left to right. */
export function linesOf(words: readonly Word[]): Word[][] {
  const lines: { middle: number; height: number; words: Word[] }[] = [];
  for (const word of words.toSorted((a, b) => middleOf(a) - middleOf(b))) {
    const line = lines.at(-1);
    const middle = middleOf(word);
    if (line && middle - line.middle < 0.5 * Math.min(line.height, word.box.height)) {
      line.words.push(word);
    } else {
      lines.push({ middle, height: word.box.height, words: [word] });
    }
  }
  return lines.map(({ words }) => words.sort((a, b) => a.box.x - b.box.x));
}

function middleOf({ box }: Word): number {
  return box.y + box.height / 2;
}

/** What stands far apart in a line is kept apart by a tabulator. */
export function textOf(words: readonly Word[]): string {
  return linesOf(words)
    .map((line) =>
      line
        .map((word, index) => {
          const before = line[index - 1];
          if (!before) return word.text;
          const gap = word.box.x - before.box.x - before.box.width;
          return `${gap > 1.5 * word.box.height ? '\t' : ' '}${word.text}`;
        })
        .join(''),
    )
    .join('\n');
}
