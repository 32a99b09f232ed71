import { Problem } from '../platform/http/problem.ts';

export const formType = 'application/x-www-form-urlencoded';

/** More than any request has, by far: to parse tens of thousands takes long, and in the OpenID library the square of that. */
export const maxParameters = 100;

/** 400 for an address or a form of more parameters, before any is parsed. */
export function requireFewParameters(text: string, where: 'address' | 'form'): void {
  if (text.split('&', maxParameters + 1).length > maxParameters)
    throw invalidRequest(400, `The ${where} has more than ${maxParameters} parameters.`);
}

export function parseForm(text: string): URLSearchParams {
  requireFewParameters(text, 'form');
  return new URLSearchParams(text);
}

export function invalidRequest(status: number, detail: string): Problem {
  return new Problem(status, 'invalid-request', 'The request is not valid', { detail });
}
