import { editDistance } from './words.ts';

const confusable: Readonly<Record<string, string>> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  L: '1',
  Z: '2',
  S: '5',
  G: '6',
  B: '8',
};

/** A plate without what recognition confuses: separators, case, and letters that look like digits. */
function canonical(plate: string): string {
  return plate
    .normalize('NFD')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replaceAll(/[OQDILZSGB]/g, (letter) => confusable[letter] ?? letter);
}

/** How surely what was read is the plate: 0 when it is another one. */
export function plateMatch(read: string, plate: string): number {
  const a = canonical(read);
  const b = canonical(plate);
  if (b.length < 4) return a === b && a !== '' ? 1 : 0;
  if (Math.abs(a.length - b.length) > 1) return 0;
  const distance = editDistance(a, b);
  if (distance === 0) return 1;
  return distance === 1 ? 0.8 : 0;
}

/** Whether a text may be a plate: of few characters, with a digit and a letter. */
export function isPlateLike(text: string): boolean {
  const plain = text.replaceAll(/[\s.·:-]/g, '');
  return /^[\p{L}\d]{4,10}$/u.test(plain) && /\d/.test(plain) && /\p{L}/u.test(plain);
}
