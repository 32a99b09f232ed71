import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Queryable } from '../../platform/db/database.ts';
import type { RealmRequest } from '../realm-route.ts';
import type { CheckedUser } from '../users.ts';
import type { SignInKey } from './sign-in-key.ts';

/** A cookie for each user that has signed in from a browser, by which limits on strangers do not hold them up. */

const lifetimeSeconds = 180 * 86_400;
const prefix = 'device_';
const maxVerified = 10;

/**
 * The id of the device, if the user has signed in from it and has not changed since: whoever could sign in before has no
 * guesses of their own at a new password or second factor.
 */
export async function knownDevice(
  db: Queryable,
  key: SignInKey,
  request: RealmRequest,
  username: string,
): Promise<string | undefined> {
  const device = findDevice(key, request, username);
  if (!device) return undefined;
  const { realm } = request.params;
  const [user] = await db.query<CheckedUser>(
    'select id, username, version from users where provider = $1 and username = $2',
    [realm, username],
  );
  return user && stateOf(key, realm, user) === device.state ? device.id : undefined;
}

/** What stands for the user of the realm who has signed in from the device, as it was then, if anybody has. */
export function userOfDevice(key: SignInKey, request: RealmRequest): string | undefined {
  const device = firstSigned(key, request, cookiesOf(request));
  return device && `${device.name} ${device.state}`;
}

export function rememberDevice(
  key: SignInKey,
  { params: { realm } }: RealmRequest,
  reply: FastifyReply,
  user: CheckedUser,
  options: { knownId: string | undefined; secure: boolean },
): void {
  const device = {
    name: cookieName(key, realm, user.username),
    id: options.knownId ?? randomBytes(16).toString('base64url'),
    issuedAt: String(Math.floor(Date.now() / 1_000)),
    state: stateOf(key, realm, user),
  };
  const { name, id, issuedAt, state } = device;
  const attributes = [
    `${name}=${id}.${issuedAt}.${state}.${key.sign(signedParts(realm, device))}`,
    `path=/realms/${realm}`,
    `max-age=${lifetimeSeconds}`,
    'samesite=lax',
    'httponly',
    ...(options.secure ? ['secure'] : []),
  ];
  reply.header('set-cookie', attributes.join('; '));
}

type Device = { name: string; id: string; issuedAt: string; state: string };
type DeviceCookie = Device & { signature: string };

const cookiePattern = new RegExp(`^(${prefix}[\\w-]+)=([\\w-]+)\\.(\\d+)\\.([\\w-]+)\\.([\\w-]+)$`);

/** Those that have the form of ours, signed or not. */
function cookiesOf({ headers }: RealmRequest): DeviceCookie[] {
  const pairs = (headers.cookie ?? '').split(/; */);
  return pairs.flatMap((pair) => {
    const [, name = '', id = '', issuedAt = '', state = '', signature = ''] =
      cookiePattern.exec(pair) ?? [];
    return name === '' ? [] : [{ name, id, issuedAt, state, signature }];
  });
}

function findDevice(key: SignInKey, request: RealmRequest, username: string) {
  const name = cookieName(key, request.params.realm, username);
  const named = cookiesOf(request).filter((cookie) => cookie.name === name);
  return firstSigned(key, request, named);
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
      (cookie) =>
        Number(cookie.issuedAt) > oldest &&
        key.isSigned(signedParts(realm, cookie), cookie.signature),
    );
}

function signedParts(realm: string, { name, id, issuedAt, state }: Device): readonly string[] {
  return ['device', realm, name, id, issuedAt, state];
}

/** Without what it stands for, as the name. */
function stateOf(key: SignInKey, realm: string, { id, version }: CheckedUser): string {
  return key.sign(['device state', realm, id, version]).slice(0, 16);
}

/** Without the name of the user, which is nobody else's business. */
function cookieName(key: SignInKey, realm: string, username: string): string {
  return prefix + key.sign(['device name', realm, username]).slice(0, 16);
}
