import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { RealmRequest } from '../realm-route.ts';
import type { SignInKey } from './sign-in-key.ts';

/** A cookie for each user that has signed in from a browser, by which a delay of strangers does not hold them up. */

const lifetimeSeconds = 180 * 86_400;

/** The id of the device, if the user has signed in from it. */
export function knownDevice(
  key: SignInKey,
  { params, headers }: RealmRequest,
  username: string,
): string | undefined {
  const value = readCookie(headers.cookie ?? '', cookieName(key, params.realm, username));
  const [id = '', issuedAt = '', signature = ''] = value?.split('.') ?? [];
  if (Number(issuedAt) < Date.now() / 1_000 - lifetimeSeconds) return undefined;
  const isOurs = key.isSigned(signedParts(params.realm, username, id, issuedAt), signature);
  return isOurs ? id : undefined;
}

export function rememberDevice(
  key: SignInKey,
  { params: { realm } }: RealmRequest,
  reply: FastifyReply,
  username: string,
  options: { knownId: string | undefined; secure: boolean },
): void {
  const id = options.knownId ?? randomBytes(16).toString('base64url');
  const issuedAt = String(Math.floor(Date.now() / 1_000));
  const signature = key.sign(signedParts(realm, username, id, issuedAt));
  const attributes = [
    `${cookieName(key, realm, username)}=${id}.${issuedAt}.${signature}`,
    `path=/realms/${realm}`,
    `max-age=${lifetimeSeconds}`,
    'samesite=lax',
    'httponly',
    ...(options.secure ? ['secure'] : []),
  ];
  reply.header('set-cookie', attributes.join('; '));
}

/** Without the name, which is nobody else's business. */
function cookieName(key: SignInKey, realm: string, username: string): string {
  return `device_${key.sign(['device name', realm, username]).slice(0, 16)}`;
}

function signedParts(realm: string, username: string, id: string, issuedAt: string): string[] {
  return ['device', realm, username, id, issuedAt];
}

function readCookie(header: string, name: string): string | undefined {
  const found = header.split(/; */).find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}
