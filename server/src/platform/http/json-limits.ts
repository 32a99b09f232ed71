import { isStorable } from './storable-text.ts';

export const maxDepth = 64;
// More than the largest search needs, and few enough to check and report quickly.
export const maxValues = 60_000;

/** Whether a parsed body has no `jsonIssues`, found without tracking pointers: docs/decisions/0025-hot-path.md. */
export function isWithinLimits(root: unknown, escaped: boolean): boolean {
  return remainingValues(root, escaped, maxDepth, maxValues) >= 0;
}

/** How many of the allowed values remain after this one; negative when a limit is exceeded. */
function remainingValues(value: unknown, escaped: boolean, depth: number, allowed: number): number {
  if (typeof value === 'string') return escaped && !isStorable(value) ? -1 : allowed - 1;
  if (typeof value !== 'object' || value === null) return allowed - 1;
  if (depth === 0) return -1;
  let remaining = allowed - 1;
  if (Array.isArray(value)) {
    for (const child of value) {
      if (remaining < 0) return remaining;
      remaining = remainingValues(child, escaped, depth - 1, remaining);
    }
    return remaining;
  }
  for (const key in value) {
    if (remaining < 0 || (escaped && !isStorable(key))) return -1;
    remaining = remainingValues(value[key as keyof typeof value], escaped, depth - 1, remaining);
  }
  return remaining;
}
