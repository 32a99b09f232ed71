import type { Static, TSchema } from 'typebox';
import type { Clock } from '../time/clock.ts';
import { removeNulls } from './absent-nulls.ts';
import type { ValidationIssue } from './problem.ts';
import { issuesOf } from './schema-issues.ts';
import { compileSchema, maxIssues as usualMaxIssues } from './validation.ts';

/** The body or the query of a request: its schema, and what is asked of it beyond. */
export type RequestPart<Schema extends TSchema, Value> = {
  schema: Schema;
  /** What is wrong beyond the schema, each with its place. */
  rules?(sent: Static<Schema>, context: RuleContext): ValidationIssue[];
  /** Instead of rules: makes of it what the handler gets, or says what is wrong beyond the schema. */
  parse?(sent: Static<Schema>): Parsed<Value>;
};

export type RuleContext = { now: Date };

export type Parsed<Value> = { value: Value } | { issues: ValidationIssue[] };

type Judge = (sent: unknown) => Parsed<unknown>;

/** Reads what was sent by its schema and by what is asked beyond; names every issue at once. */
export function partReader(
  { schema, rules, parse }: RequestPart<TSchema, unknown>,
  clock: Clock,
  maxIssues: number = usualMaxIssues,
): Judge {
  const errorsOf = compileSchema(schema);
  const judge = parse ?? judgeBy(rules, clock);
  return (sent) => {
    let errors = errorsOf(sent);
    // After the failure alone, so that a value without null does not pay for it.
    if (errors.length > 0 && removeNulls(schema, sent)) errors = errorsOf(sent);
    if (errors.length === 0) return judge(sent);
    const issues = issuesOf(errors, maxIssues);
    return { issues: [...issues, ...issuesBeyond(issues, judge, sent)] };
  };
}

function judgeBy(rules: RequestPart<TSchema, unknown>['rules'], clock: Clock): Judge {
  return (sent) => {
    const issues = rules?.(sent, { now: clock.now() }) ?? [];
    return issues.length > 0 ? { issues } : { value: sent };
  };
}

/** What is asked beyond a schema is for values that fit it. Of one that does not, what can be judged. */
function issuesBeyond(
  issues: readonly ValidationIssue[],
  judge: Judge,
  sent: unknown,
): ValidationIssue[] {
  try {
    const judged = judge(sent);
    if (!('issues' in judged)) return [];
    return judged.issues.filter(({ pointer }) =>
      issues.every((known) => !`${pointer}/`.startsWith(`${known.pointer}/`)),
    );
  } catch (error) {
    if (error instanceof TypeError) return [];
    throw error;
  }
}
