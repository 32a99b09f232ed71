import { isInNetworks, networkList } from '../../platform/http/networks.ts';
import type { Caller, Role } from '../../platform/http/principal.ts';
import { Problem } from '../../platform/http/problem.ts';

/** What an administrator cannot do to the own access, so that nobody locks the last one out. */

export const ownAccessRefused = 'The change would end the access of whoever makes the request.';

/** Refuses to end the client by which the request was made. */
export function requireOtherClient(caller: Caller, clientId: string): void {
  if (caller.clientId === clientId) throw ownAccess('client');
}

export function requireOtherUser(caller: Caller, userId: string): void {
  if (isUser(caller, userId)) throw ownAccess('user');
}

/** Refuses settings with which the client could not make the request again. */
export function requireOwnClientAccess(
  caller: Caller,
  clientId: string,
  { role, networks = [], expiresAt }: ClientAccess,
  present: { expiresAt: string | null } | undefined,
): void {
  if (caller.clientId !== clientId) return;
  const isInside = networks.length === 0 || isInNetworks(networkList(networks), caller.address);
  const endsEarlier =
    expiresAt !== undefined &&
    !(present?.expiresAt && expiresAt.getTime() >= Date.parse(present.expiresAt));
  if (role !== 'admin' || !isInside || endsEarlier) throw ownAccess('client');
}

type ClientAccess = {
  role?: Role | undefined;
  networks?: readonly string[] | undefined;
  expiresAt?: Date | undefined;
};

export function requireOwnUserAccess(caller: Caller, userId: string, role?: Role): void {
  if (isUser(caller, userId) && role !== 'admin') throw ownAccess('user');
}

function isUser({ kind, subject }: Caller, userId: string): boolean {
  return kind === 'user' && subject === userId.toLowerCase();
}

function ownAccess(what: 'client' | 'user'): Problem {
  return new Problem(409, 'own-access', 'The change would end the own access', {
    detail: `The request is made by this ${what}, which then could not administer any more: let another administrator do it.`,
  });
}
