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
// `$id` names a schema in the OpenAPI document; to the validator all are anonymous.
ajv.addVocabulary(['example']);

/** Answers every issue of a value, each with its place; none when the value fits. */
export type Validator = (value: unknown) => ValidationIssue[];

export function compileValidator(schema: TSchema): Validator {
  const errorsOf = compileSchema(schema);
  return (value) => issuesOf(errorsOf(value), maxIssues);
}

export const maxIssues = 100;

const noErrors: readonly ErrorObject[] = [];

/** What the validator says itself, for those who look for something else in it first. */
export function compileSchema(schema: TSchema): (value: unknown) => readonly ErrorObject[] {
  let validate: ValidateFunction | undefined;
  return (value) => {
    // On first use: to compile all of them takes a quarter of the time of a start.
    validate ??= ajv.compile(anonymous(schema) as object);
    return validate(value) ? noErrors : (validate.errors ?? noErrors);
  };
}

function anonymous(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(anonymous);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$id')
      .map(([key, value]) => [key, anonymous(value)]),
  );
}
