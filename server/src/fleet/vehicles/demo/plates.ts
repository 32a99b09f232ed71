import type { Random } from '../../../platform/random/random.ts';

const GERMAN_LETTERS = ['MP', 'MP', 'MP', 'MP', 'MO', 'PL', 'FP', 'CV', 'WA', 'EF'] as const;
const FRENCH_LETTERS = 'ABCDEFGHJKLMNPQRSTVWXYZ';

/** The first letters FA were reached in September 2018; since then 7.5 pairs went each year. */
const FRENCH_START = { pair: 5 * FRENCH_LETTERS.length, time: Date.UTC(2018, 8, 1) };
const FRENCH_PAIRS_PER_YEAR = 7.5;
const YEAR_MS = 365.25 * 24 * 3_600_000;

export function germanPlate(
  district: string,
  sequence: number,
  hasPlug: boolean,
  random: Random,
): string {
  const letters = random.pick(GERMAN_LETTERS);
  // With the E suffix a fourth digit would exceed the eight characters in a two-letter district.
  const number = hasPlug || random.chance(0.3) ? threeDigits(sequence) : fourDigits(sequence);
  return `${district}-${letters} ${number}${hasPlug ? 'E' : ''}`;
}

/** French plates are given out in one national order, so their letters tell the age. */
export function frenchPlate(registered: string, sequence: number, random: Random): string {
  const years = (Date.parse(registered) - FRENCH_START.time) / YEAR_MS;
  const pair = Math.floor(FRENCH_START.pair + years * FRENCH_PAIRS_PER_YEAR);
  const first = frenchPair(pair);
  const last = frenchPair(random.integer(0, FRENCH_LETTERS.length ** 2 - 1));
  return `${first}-${threeDigits(sequence)}-${last}`;
}

function frenchPair(pair: number): string {
  const size = FRENCH_LETTERS.length;
  return FRENCH_LETTERS.charAt(Math.floor(pair / size)) + FRENCH_LETTERS.charAt(pair % size);
}

// Both steps have no divisor in common with the range: up to 900 vehicles never share a number.

function threeDigits(sequence: number): number {
  return 100 + ((sequence * 619) % 900);
}

function fourDigits(sequence: number): number {
  return 1_000 + ((sequence * 2_377) % 9_000);
}
