import Type, { type TObject } from 'typebox';
import type { Clock } from '../time/clock.ts';
import { Problem, type ValidationIssue } from './problem.ts';
import { partReader, type RequestPart } from './request-part.ts';
import { toStorable } from './storable-number.ts';
import { isStorable } from './storable-text.ts';

const noParameters = { schema: Type.Object({}, { additionalProperties: false }) };

/** Parses a query string by its schema; unknown parameters are rejected. */
export function queryReader(clock: Clock, part: RequestPart<TObject, unknown> = noParameters) {
  const read = partReader(part, clock);
  const properties: Record<string, { type?: string } | undefined> = part.schema.properties;
  return (sent: Record<string, unknown>): Record<string, unknown> => {
    if (part === noParameters && Object.keys(sent).length === 0) return {};
    const unstorable = unstorableIssues(sent);
    const query = Object.fromEntries(
      Object.entries(sent).map(([name, value]) => {
        if (typeof value !== 'string') return [name, value];
        return [name, scalarOf(value, properties[name]?.type)];
      }),
    );
    const parsed = read(query);
    const issues = [...unstorable, ...('issues' in parsed ? parsed.issues : [])];
    if (issues.length > 0 || 'issues' in parsed) throw invalidQuery(issues);
    return parsed.value as Record<string, unknown>;
  };
}

/** A value that cannot be converted stays text, so that validation reports it. */
function scalarOf(text: string, type: string | undefined): unknown {
  if (type === 'integer' || type === 'number')
    return /^-?\d+(\.\d+)?$/.test(text) ? toStorable(Number(text)) : text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

function unstorableIssues(sent: Record<string, unknown>): ValidationIssue[] {
  return Object.entries(sent)
    .filter((entry) => !entry.flat().every((part) => isStorable(String(part))))
    .map(([name]) => ({ pointer: `/${name}`, detail: `${name} must not contain NUL.` }));
}

function invalidQuery(issues: ValidationIssue[]): Problem {
  const errors = issues.map(({ pointer, detail }) => ({
    pointer: pointer.replace(/^\//, '?'),
    detail: detail.replace('known property', 'known parameter').replace('The body', 'The query'),
  }));
  return new Problem(400, 'invalid-query', 'The query is not valid', {
    detail: errors.map(({ detail }) => detail).join(' '),
    errors,
  });
}
