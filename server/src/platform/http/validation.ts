import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { formats } from './formats.ts';
import type { ValidationIssue } from './problem.ts';
import { type IssueOptions, issuesOf } from './schema-issues.ts';

const [allErrors, firstError] = [true, false].map((allErrors) => {
  const ajv = new Ajv2020({
    allErrors,
    strict: true,
    verbose: true,
    formats,
    allowUnionTypes: true,
  });
  return ajv.addVocabulary(['example']);
}) as [Ajv2020, Ajv2020];

/** Returns every issue of a value; none when it is valid. */
export type Validator = (value: unknown) => ValidationIssue[];

export function compileValidator(schema: TSchema): Validator {
  const errorsOf = compileSchema(schema);
  return (value) => issuesOf(errorsOf(value), allIssues);
}

export const allIssues: IssueOptions = { maxIssues: 100, suggestsNames: true };

const noErrors: readonly ErrorObject[] = [];

type SchemaErrors = (value: unknown) => readonly ErrorObject[];

/** Returns the validator's own errors. */
export function compileSchema(schema: TSchema): SchemaErrors {
  return compileOnUse(allErrors, schema);
}

/** Returns the first error: for large values, of which each part may be wrong. */
export function compileForFirstError(schema: TSchema): SchemaErrors {
  return compileOnUse(firstError, schema);
}

/** On first use, which shortens the start: docs/decisions/0025-hot-path.md. */
function compileOnUse(ajv: Ajv2020, schema: TSchema): SchemaErrors {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= compileOnce(ajv, schema);
    return validate(value) ? noErrors : (validate.errors ?? noErrors);
  };
}

const compiled = new Map<Ajv2020, WeakMap<TSchema, ValidateFunction>>(
  [allErrors, firstError].map((ajv) => [ajv, new WeakMap()]),
);

/** Operations share schemas, and so do all services of a process. */
function compileOnce(ajv: Ajv2020, schema: TSchema): ValidateFunction {
  const known = compiled.get(ajv);
  const validate = known?.get(schema) ?? ajv.compile(withoutIds(schema) as object);
  known?.set(schema, validate);
  return validate;
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
