import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Static, TSchema } from 'typebox';
import type { Clock } from '../time/clock.ts';
import { removeNulls } from './absent-nulls.ts';
import { isLargeBody } from './json-body.ts';
import type { ValidationIssue } from './problem.ts';
import { type IssueOptions, issuesOf } from './schema-issues.ts';
import { allIssues, compileForFirstError, compileSchema } from './validation.ts';

/** The body or the query of a request: its schema, and validation beyond it. */
export type RequestPart<Schema extends TSchema, Value> = {
  schema: Schema;
  /** Validation beyond the schema. */
  rules?(sent: Static<Schema>, context: RuleContext): ValidationIssue[];
  /** Instead of rules: converts the value for the handler, or returns issues beyond the schema. */
  parse?(sent: Static<Schema>): Parsed<Value>;
};

export type RuleContext = {
  now: Date;
  /** By the calendar of the operation, where it has one. */
  today?: string | undefined;
};

export type Parsed<Value> = { value: Value } | { issues: ValidationIssue[] };

type Validate = (sent: unknown, today?: string) => Parsed<unknown>;

/** Validates by the schema and beyond it; reports all issues at once, except of a large body. */
export function partReader(
  { schema, rules, parse }: RequestPart<TSchema, unknown>,
  clock: Clock,
  options: IssueOptions = allIssues,
): Validate {
  const allErrorsOf = compileSchema(schema);
  const firstErrorOf = compileForFirstError(schema);
  const { maxIssues } = options;
  const validate = atMost(maxIssues, parse ?? validateByRules(rules, clock));
  return (sent, today) => {
    const isLarge = isLargeBody(sent);
    const errorsOf = isLarge || maxIssues === 1 ? firstErrorOf : allErrorsOf;
    let errors = errorsOf(sent);
    // Only after a failure, so that valid values are not searched for nulls.
    if (errors.length > 0 && removeNulls(schema, sent)) errors = errorsOf(sent);
    if (errors.length === 0) return validate(sent, today);
    const issues = issuesOf(errors, options);
    if (isLarge || issues.length === maxIssues || errors.some(hasTooMany)) return { issues };
    const beyond = issuesBeyond(issues, () => validate(sent, today));
    return { issues: [...issues, ...beyond].slice(0, maxIssues) };
  };
}

/** Rules take a time for each element: only as many as may be are looked at. */
function hasTooMany({ keyword }: ErrorObject): boolean {
  return keyword === 'maxItems' || keyword === 'maxProperties';
}

function atMost(maxIssues: number, validate: Validate): Validate {
  return (sent, today) => {
    const validated = validate(sent, today);
    return 'issues' in validated ? { issues: validated.issues.slice(0, maxIssues) } : validated;
  };
}

function validateByRules(rules: RequestPart<TSchema, unknown>['rules'], clock: Clock): Validate {
  return (sent, today) => {
    const issues = rules?.(sent, { now: clock.now(), today }) ?? [];
    return issues.length > 0 ? { issues } : { value: sent };
  };
}

/** Validation beyond a schema expects values that fit it; for others, it may throw or report a subset. */
function issuesBeyond(
  issues: readonly ValidationIssue[],
  validate: () => Parsed<unknown>,
): ValidationIssue[] {
  try {
    const validated = validate();
    if (!('issues' in validated)) return [];
    const known = new Set(issues.map(({ pointer }) => pointer));
    return validated.issues.filter(({ pointer }) => !isAtOrBelow(pointer, known));
  } catch (error) {
    if (error instanceof TypeError) return [];
    throw error;
  }
}

function isAtOrBelow(pointer: string, known: ReadonlySet<string>): boolean {
  if (known.has(pointer)) return true;
  const end = pointer.lastIndexOf('/');
  return end >= 0 && isAtOrBelow(pointer.slice(0, end), known);
}
