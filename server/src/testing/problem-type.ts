import { expect } from 'vitest';
import { problemsPath } from '../platform/http/problem.ts';

/** The type of a problem of the kind, at whatever address the service is. */
export function problemTypePattern(kind: string): RegExp {
  return new RegExp(`^https?://[^/]+${problemsPath}/${kind}$`);
}

export function problemType(kind: string): unknown {
  return expect.stringMatching(problemTypePattern(kind));
}
