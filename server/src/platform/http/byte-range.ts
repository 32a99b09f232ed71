import { Problem } from './problem.ts';

// Blanks after digits alone: next to other blanks, both could take them, and a long header would be tried in every way.
const rangeForm = /^\s*bytes\s*=\s*(?:(\d+)\s*)?-\s*(?:(\d+)\s*)?$/i;

/**
 * The range of `size` bytes that a Range header selects. Undefined for all bytes, for several ranges and for an
 * unknown form, in which cases HTTP allows to send all.
 */
export function requestedRange(
  header: string | undefined,
  size: number,
): { first: number; last: number } | undefined {
  const match = rangeForm.exec(header ?? '');
  const [from, to] = [match?.[1] ?? '', match?.[2] ?? ''];
  // An empty file has no ranges.
  if ((from === '' && to === '') || size === 0) return undefined;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (first > last) throw unsatisfiable(size);
  return { first, last };
}

function unsatisfiable(size: number): Problem {
  return new Problem(416, 'range-not-satisfiable', 'The range lies outside', {
    detail: `There are ${size} bytes, the first of them is byte 0.`,
    headers: { 'content-range': `bytes */${size}` },
  });
}
