import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { RealmRequest } from '../realm-route.ts';
import type { SignInKey } from './sign-in-key.ts';

/** A cookie for each user that has signed in from a browser, by which limits on strangers do not hold them up. */

const lifetimeSeconds = 180 * 86_400;
const prefix = 'device_';
const maxVerified = 10;

/** The id of the device, if the user has signed in from it. */
export function knownDevice(
  key: SignInKey,
  request: RealmRequest,
  username: string,
): string | undefined {
  const name = cookieName(key, request.params.realm, username);
  const named = cookiesOf(request).filter((cookie) => cookie.name === name);
  return firstSigned(key, request, named)?.id;
}

/** What stands for the user of the realm who has signed in from the device, if anybody has. */
export function userOfDevice(key: SignInKey, request: RealmRequest): string | undefined {
  return firstSigned(key, request, cookiesOf(request))?.name;
}

export function rememberDevice(
  key: SignInKey,
  { params: { realm } }: RealmRequest,
  reply: FastifyReply,
  username: string,
  options: { knownId: string | undefined; secure: boolean },
): void {
  const name = cookieName(key, realm, username);
  const id = options.knownId ?? randomBytes(16).toString('base64url');
  const issuedAt = String(Math.floor(Date.now() / 1_000));
  const signature = key.sign(['device', realm, name, id, issuedAt]);
  const attributes = [
    `${name}=${id}.${issuedAt}.${signature}`,
    `path=/realms/${realm}`,
    `max-age=${lifetimeSeconds}`,
    'samesite=lax',
    'httponly',
    ...(options.secure ? ['secure'] : []),
  ];
  reply.header('set-cookie', attributes.join('; '));
}

type DeviceCookie = { name: string; id: string; issuedAt: string; signature: string };

const cookiePattern = new RegExp(`^(${prefix}[\\w-]+)=([\\w-]+)\\.(\\d+)\\.([\\w-]+)$`);

/** Those that have the form of ours, signed or not. */
function cookiesOf({ headers }: RealmRequest): DeviceCookie[] {
  const pairs = (headers.cookie ?? '').split(/; */);
  return pairs.flatMap((pair) => {
    const [, name = '', id = '', issuedAt = '', signature = ''] = cookiePattern.exec(pair) ?? [];
    return name === '' ? [] : [{ name, id, issuedAt, signature }];
  });
}

/** Of the first few: strangers can send thousands, and each costs a signature. */
function firstSigned(
  key: SignInKey,
  { params: { realm } }: RealmRequest,
  cookies: readonly DeviceCookie[],
): DeviceCookie | undefined {
  const oldest = Date.now() / 1_000 - lifetimeSeconds;
  return cookies
    .slice(0, maxVerified)
    .find(
      ({ name, id, issuedAt, signature }) =>
        Number(issuedAt) > oldest && key.isSigned(['device', realm, name, id, issuedAt], signature),
    );
}

/** Without the name of the user, which is nobody else's business. */
function cookieName(key: SignInKey, realm: string, username: string): string {
  return prefix + key.sign(['device name', realm, username]).slice(0, 16);
}
