import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { postponeWork } from './load-shedding.ts';
import { requireOwnNetwork } from './networks.ts';
import type { ProviderRef } from './operation.ts';
import { type Caller, type Principal, permits, type Role } from './principal.ts';
import {
  forbidden,
  insufficientRole,
  invalidPath,
  Problem,
  unauthorized,
  type ValidationIssue,
} from './problem.ts';
import { isStorable } from './storable-text.ts';

/**
 * Who a bearer token was issued to; undefined for an invalid token, or one that had expired at that time (in ms), which
 * is now if it is not given. Synchronous for a cached token: docs/decisions/0025-hot-path.md.
 */
export type Authenticate = (
  token: string,
  unexpiredAt?: number,
) => Authenticated | Promise<Authenticated>;
type Authenticated = Principal | undefined;

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

export function authenticationHook(authenticate: Authenticate): onRequestHookHandler {
  return (request, _reply, done) => {
    const provider = providerOf(request.params as Record<string, string>);
    const accept = (principal: Authenticated) => {
      request.principal = required(principal, provider);
    };
    const principal = authenticate(bearerOf(request, provider));
    if (principal instanceof Promise) {
      postponeWork(request.raw);
      principal.then(accept).then(() => done(), done);
      return;
    }
    accept(principal);
    done();
  };
}

function required(principal: Authenticated, provider: ProviderRef): Principal {
  if (!principal) throw unauthorized(challengedRealm(provider), true);
  return principal;
}

export function authorize(request: FastifyRequest, role: Role): void {
  const { principal } = request;
  const parameters = request.params as Record<string, string>;
  const provider = providerOf(parameters);
  requireWellFormedPath(parameters, provider);
  if (principal?.provider !== provider.id) throw forbidden(provider.countryCode, provider.code);
  requireOwnNetwork(principal, request.ip);
  if (!permits(principal.roles, role)) throw insufficientRole(provider.id, role, principal.roles);
}

/**
 * Fails for a caller whose access has ended while the body came, for which they may take their time. That the token has
 * expired since the request began does not count: an upload may take longer than a token lasts.
 */
export function authorizeAgain(
  request: FastifyRequest,
  authenticate: Authenticate,
  role: Role,
  begunAt: number,
): void | Promise<void> {
  const provider = providerOf(request.params as Record<string, string>);
  const accept = (principal: Authenticated) => {
    if (principal === request.principal) return;
    request.principal = required(principal, provider);
    authorize(request, role);
  };
  const principal = authenticate(bearerOf(request, provider), begunAt);
  return principal instanceof Promise ? principal.then(accept) : accept(principal);
}

/** Whether a request that is being answered would still be accepted. What cannot be told now is told the next time. */
export async function isAuthorized(
  request: FastifyRequest,
  authenticate: Authenticate,
  role: Role,
): Promise<boolean> {
  const provider = providerOf(request.params as Record<string, string>);
  try {
    const principal = await authenticate(bearerOf(request, provider));
    return principal !== undefined && permits(principal.roles, role);
  } catch (error) {
    return !(error instanceof Problem && error.status < 500);
  }
}

export function callerOf({ principal, ip, id }: FastifyRequest): Caller {
  if (!principal) throw new Error('the request was not authenticated');
  return { ...principal, address: ip, requestId: id };
}

export function providerOf(parameters: Record<string, string>): ProviderRef {
  const countryCode = parameters.assetProviderCountryCode ?? '';
  const code = parameters.assetProviderCode ?? '';
  return { id: `${countryCode}-${code}`, countryCode, code };
}

function bearerOf(request: FastifyRequest, provider: ProviderRef): string {
  const header = request.headers.authorization;
  if (header === undefined || !/^bearer\b/i.test(header))
    throw unauthorized(challengedRealm(provider), false);
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(header)?.[1];
  if (token === undefined) throw unauthorized(challengedRealm(provider), true);
  return token;
}

function challengedRealm({ id }: ProviderRef): string {
  return /^[\w]{2}-[\w]{3}$/.test(id) ? id : 'motorpool';
}

function requireWellFormedPath(
  parameters: Record<string, string>,
  { countryCode, code }: ProviderRef,
): void {
  const issues: ValidationIssue[] = [];
  if ([...countryCode].length !== 2) {
    issues.push({
      pointer: '#assetProviderCountryCode',
      detail: 'assetProviderCountryCode must have exactly 2 characters.',
    });
  }
  if ([...code].length !== 3) {
    issues.push({
      pointer: '#assetProviderCode',
      detail: 'assetProviderCode must have exactly 3 characters.',
    });
  }
  for (const [name, value] of Object.entries(parameters)) {
    if (!isStorable(value))
      issues.push({ pointer: `#${name}`, detail: `${name} must not contain NUL.` });
  }
  if (issues.length > 0) throw invalidPath(issues);
}
