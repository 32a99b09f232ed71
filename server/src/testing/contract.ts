import { operations } from '../fleet/index.ts';
import { ProblemSchema } from '../platform/http/openapi.ts';
import { compileValidator, type Validator } from '../platform/http/validation.ts';
import type { Answer } from './http-client.ts';

const isProblem = compileValidator(ProblemSchema);
const validators = new Map<string, Validator>();

/** Fails when an answer is not one that the OpenAPI document promises. */
export function requireContract(method: string, path: string, answer: Answer): void {
  const segments = path.split('?', 1)[0]?.split('/') ?? [];
  // As the router does, a word of the path is preferred to a parameter.
  const [operation] = operations
    .filter((one) => one.method === method && matches(one.path.split('/'), segments))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length);
  if (!operation) return;
  const where = `${method} ${path} answered ${answer.status}`;
  if (answer.status >= 400) {
    if (answer.headers['content-type'] !== 'application/problem+json')
      throw new Error(`${where} without a problem`);
    requireNone(isProblem(answer.json), where);
    return;
  }
  const response = operation.responses[answer.status];
  if (!response) throw new Error(`${where}, which ${operation.id} does not promise`);
  if (response.bytes) return;
  if (!response.schema) {
    if (answer.text !== '') throw new Error(`${where} with content that is not promised`);
    return;
  }
  const key = `${operation.id} ${answer.status}`;
  const validate = validators.get(key) ?? compileValidator(response.schema);
  validators.set(key, validate);
  requireNone(validate(answer.json), where);
}

function matches(pattern: string[], segments: string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => part.startsWith('{') || part === segments[index])
  );
}

function requireNone(issues: { detail: string }[], where: string): void {
  if (issues.length > 0)
    throw new Error(`${where}: ${issues.map(({ detail }) => detail).join(' ')}`);
}
