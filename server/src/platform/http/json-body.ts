import { invalidBody, type ValidationIssue } from './problem.ts';
import { isStorable } from './storable-text.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
const maxDepth = 64;
// More than the largest search needs, and few enough to check and report quickly.
const maxValues = 60_000;
const maxIssues = 20;

/** Parses and checks a JSON body; an empty one is undefined. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const { text, value } = parseJson(bytes, 'The body');
  const issues = jsonIssues(value, text.includes('\\u'));
  if (issues.length > 0) throw invalidBody(issues);
  return value;
}

export function parseJson(bytes: Uint8Array, name: string): { text: string; value: unknown } {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw invalidBody([{ pointer: '', detail: `${name} is not valid UTF-8.` }]);
  }
  try {
    return { text, value: JSON.parse(text) };
  } catch (error) {
    throw invalidBody([
      { pointer: '', detail: `${name} is not valid JSON: ${(error as Error).message}.` },
    ]);
  }
}

/** Text that cannot be stored, which only an escape can encode; excessive nesting; too many values. */
export function jsonIssues(root: unknown, escaped: boolean): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const stack: { value: unknown; pointer: string; depth: number }[] = [
    { value: root, pointer: '', depth: 0 },
  ];
  let values = 0;
  for (let next = stack.pop(); next && issues.length < maxIssues; next = stack.pop()) {
    values += 1;
    const { value, pointer, depth } = next;
    if (typeof value === 'string') {
      if (escaped && !isStorable(value)) issues.push({ pointer, detail: unstorable });
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= maxDepth) {
        return [{ pointer: '', detail: `The body is nested more than ${maxDepth} levels deep.` }];
      }
      const children = Object.entries(value);
      if (values + stack.length + children.length > maxValues) {
        return [{ pointer: '', detail: `The body has more than ${maxValues} values.` }];
      }
      for (const [key, child] of children) {
        if (escaped && !isStorable(key)) issues.push({ pointer, detail: unstorable });
        else
          stack.push({
            value: child,
            pointer: `${pointer}/${escapePointer(key)}`,
            depth: depth + 1,
          });
      }
    }
  }
  return issues.reverse();
}

const unstorable = 'Text must not contain NUL or a lone surrogate.';

export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
