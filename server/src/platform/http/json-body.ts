import { type Scanned, scanValue } from './json-scan.ts';
import { invalidBody, type ValidationIssue } from './problem.ts';
import { isSubnormal, mayBeSubnormal } from './storable-number.ts';
import { isStorable } from './storable-text.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
const maxDepth = 64;
// More than the largest search and the largest record need, and few enough to validate quickly
// (docs/decisions/0028-bounds.md).
const maxValues = 60_000;
const maxNames = 40_000;
const maxIssues = 20;
const manyValues = 5_000;
/** Of one name: twice what the longest takes where every character is escaped. What is wrong below a name is told by all of it. */
const maxNameBytes = 768;
/** Of all names. For each error below one, the validator escapes it again: a megabyte took seconds. */
const manyEscapes = 1_000;

/** Parses and checks a JSON body; an empty one is undefined. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const scanned = scanValue(bytes);
  const excess = excessOf(scanned);
  if (excess !== undefined) {
    throw invalidBody([{ pointer: '', detail: `The body ${excess}.` }]);
  }
  const { value, issues } = parseJson(decode(bytes, 'The body'), 'The body');
  if (issues.length > 0) throw invalidBody(issues);
  const isLarge = scanned.values > manyValues || scanned.escapes > manyEscapes;
  if (isLarge && typeof value === 'object' && value !== null) large.add(value);
  return value;
}

const large = new WeakSet<object>();

/** Whether a body has so many values, or such names, that naming all its issues would take too long. */
export function isLargeBody(value: unknown): boolean {
  return typeof value === 'object' && value !== null && large.has(value);
}

/** What the text has too much of: before it is parsed, as parsing and validating would take too long. */
export function excessOf({ depth, values, names, longestName }: Scanned): string | undefined {
  if (depth > maxDepth) return `is nested more than ${maxDepth} levels deep`;
  if (names > maxNames) return `has more than ${maxNames} properties`;
  if (longestName > maxNameBytes) return `has a name of more than ${maxNameBytes} bytes`;
  if (values > maxValues) return `has more than ${maxValues} values`;
  return undefined;
}

export function decode(bytes: Uint8Array, name: string): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalidBody([{ pointer: '', detail: `${name} is not valid UTF-8.` }]);
  }
}

/** The value that can be stored, or the issues of its texts. */
export function parseJson(
  text: string,
  name: string,
): { value: unknown; issues: ValidationIssue[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const detail = `${name} is not valid JSON: ${(error as Error).message}.`;
    throw invalidBody([{ pointer: '', detail }]);
  }
  // Only an escape can encode a text that cannot be stored.
  return text.includes('\\u') || mayBeSubnormal(text) ? makeStorable(value) : { value, issues: [] };
}

/** Replaces numbers and reports texts, at any depth. */
function makeStorable(root: unknown): { value: unknown; issues: ValidationIssue[] } {
  const whole = { root };
  const issues: ValidationIssue[] = [];
  const stack: { parent: object; pointer: string }[] = [{ parent: whole, pointer: '' }];
  for (let next = stack.pop(); next && issues.length < maxIssues; next = stack.pop()) {
    const { parent, pointer } = next;
    for (const [key, child] of Object.entries(parent)) {
      if (issues.length === maxIssues) break;
      const at = () => (parent === whole ? '' : `${pointer}/${escapePointer(key.slice(0, 100))}`);
      if (!isStorable(key)) issues.push({ pointer, detail: unstorable });
      else if (isSubnormal(child)) (parent as Record<string, unknown>)[key] = 0;
      else if (typeof child === 'string') {
        if (!isStorable(child)) issues.push({ pointer: at(), detail: unstorable });
      } else if (typeof child === 'object' && child !== null) {
        stack.push({ parent: child, pointer: at() });
      }
    }
  }
  return { value: whole.root, issues };
}

const unstorable = 'Text must not contain NUL or a lone surrogate.';

export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
