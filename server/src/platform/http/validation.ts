import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { formats } from './formats.ts';
import type { ValidationIssue } from './problem.ts';
import { issuesOf } from './schema-issues.ts';

const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  verbose: true,
  formats,
  allowUnionTypes: true,
});
ajv.addVocabulary(['example']);

/** Returns every issue of a value; none when it is valid. */
export type Validator = (value: unknown) => ValidationIssue[];

export function compileValidator(schema: TSchema): Validator {
  const errorsOf = compileSchema(schema);
  return (value) => issuesOf(errorsOf(value), maxIssues);
}

export const maxIssues = 100;

const noErrors: readonly ErrorObject[] = [];

/** Returns the validator's own errors. */
export function compileSchema(schema: TSchema): (value: unknown) => readonly ErrorObject[] {
  let validate: ValidateFunction | undefined;
  return (value) => {
    // On first use, which shortens the start: docs/decisions/0025-hot-path.md.
    validate ??= ajv.compile(withoutIds(schema) as object);
    return validate(value) ? noErrors : (validate.errors ?? noErrors);
  };
}

/** `$id` names a schema in the OpenAPI document; the validator would refuse it twice. */
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$id')
      .map(([key, value]) => [key, withoutIds(value)]),
  );
}
