import type { ErrorObject } from 'ajv/dist/2020.js';
import { dateTimeIssue } from '../time/date-time.ts';
import { escapePointer } from './json-body.ts';
import type { ValidationIssue } from './problem.ts';
import { maxSuggestions, unknownName } from './unknown-name.ts';

export type IssueOptions = {
  maxIssues: number;
  /** Whether a name that is near an unknown one is looked for, which takes its time where there are many. */
  suggestsNames: boolean;
};

/** Errors that are looked at for each issue: of one pointer there may be many, each of which takes its time. */
const errorsOfIssue = 10;

/** At most one issue per pointer: the first. */
export function issuesOf(
  errors: readonly ErrorObject[],
  { maxIssues, suggestsNames }: IssueOptions,
): ValidationIssue[] {
  if (errors.length === 0) return [];
  const issues = new Map<string, ValidationIssue>();
  for (const error of errors.slice(0, maxIssues * errorsOfIssue)) {
    if (issues.size === maxIssues) break;
    if (!isCause(error)) continue;
    const issue = issueOf(error, suggestsNames && issues.size < maxSuggestions);
    if (!issues.has(issue.pointer)) issues.set(issue.pointer, issue);
  }
  return [...issues.values()];
}

/** Errors of `anyOf` and `if` only repeat those of their branches. */
function isCause({ keyword }: ErrorObject): boolean {
  return keyword !== 'anyOf' && keyword !== 'if';
}

function issueOf(error: ErrorObject, suggestsNames: boolean): ValidationIssue {
  const { keyword, instancePath, params, parentSchema } = error;
  const at = (key: string) => `${instancePath}/${escapePointer(key)}`;
  const here = instancePath === '' ? 'The body' : nameOf(instancePath);
  switch (keyword) {
    case 'required':
      return {
        pointer: at(params.missingProperty),
        detail: `${nameOf(at(params.missingProperty))} is required.`,
      };
    case 'additionalProperties': {
      const known = Object.keys(parentSchema?.properties ?? {});
      const name = String(params.additionalProperty).slice(0, 100);
      return {
        pointer: at(name),
        detail: unknownName(name, 'a known property', known, suggestsNames ? known : []),
      };
    }
    case 'type':
      return {
        pointer: instancePath,
        detail: `${here} must be ${[params.type].flat().map(article).join(' or ')}.`,
      };
    case 'enum':
      return {
        pointer: instancePath,
        detail: `${here} must be one of ${params.allowedValues.join(', ')}.`,
      };
    case 'format':
      if (params.format === 'date-time') {
        return { pointer: instancePath, detail: dateTimeIssue(here, error.data) };
      }
      return { pointer: instancePath, detail: `${here} must be ${formatNames[params.format]}.` };
    case 'minLength':
    case 'maxLength': {
      const { minLength, maxLength } = parentSchema as { minLength?: number; maxLength?: number };
      const range =
        minLength === maxLength
          ? `exactly ${minLength}`
          : minLength === undefined
            ? `at most ${maxLength}`
            : maxLength === undefined
              ? `at least ${minLength}`
              : `${minLength} to ${maxLength}`;
      return { pointer: instancePath, detail: `${here} must have ${range} characters.` };
    }
    case 'minimum':
    case 'maximum': {
      const { minimum, maximum } = parentSchema as { minimum?: number; maximum?: number };
      const range =
        minimum === undefined
          ? `at most ${maximum}`
          : maximum === undefined || (keyword === 'minimum' && maximum === Number.MAX_SAFE_INTEGER)
            ? `at least ${minimum}`
            : `from ${minimum} to ${maximum}`;
      return { pointer: instancePath, detail: `${here} must be ${range}.` };
    }
    case 'maxItems':
      return {
        pointer: instancePath,
        detail: `${here} must have at most ${params.limit} elements.`,
      };
    case 'minItems':
      return {
        pointer: instancePath,
        detail: `${here} must have at least ${params.limit} element${params.limit === 1 ? '' : 's'}.`,
      };
    case 'uniqueItems':
      return { pointer: instancePath, detail: `${here} must not have an element twice.` };
    case 'pattern': {
      const { description } = parentSchema as { description?: string };
      const rule = description ? lowerFirst(description) : `text that matches ${params.pattern}.`;
      return { pointer: instancePath, detail: `${here} must be ${rule}` };
    }
    default:
      return { pointer: instancePath, detail: `${here} ${error.message ?? 'is not valid'}.` };
  }
}

const formatNames: Record<string, string> = {
  date: 'a calendar date such as 2024-02-29',
  uuid: 'a UUID such as 123e4567-e89b-42d3-a456-426614174000',
  uri: 'an http or https URL',
  'uri-reference': 'an http or https URL',
};

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function nameOf(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
