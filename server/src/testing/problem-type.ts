import { expect } from 'vitest';
import { problemsPath } from '../platform/http/problem.ts';

/** Matches the type of a problem of the kind, at whatever address the service is. */
export function problemType(kind: string): unknown {
  return expect.stringMatching(new RegExp(`^https?://[^/]+${problemsPath}/${kind}$`));
}
