import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { RealmRequest } from '../realm-route.ts';
import type { SignInKey } from './sign-in-key.ts';

/** A cookie for each user that has signed in from a browser, by which limits on strangers do not hold them up. */

const lifetimeSeconds = 180 * 86_400;
const prefix = 'device_';

/** The id of the device, if the user has signed in from it. */
export function knownDevice(
  key: SignInKey,
  request: RealmRequest,
  username: string,
): string | undefined {
  const name = cookieName(key, request.params.realm, username);
  return devicesOf(key, request).find((device) => device.name === name)?.id;
}

/** What stands for the user of the realm who has signed in from the device, if anybody has. */
export function userOfDevice(key: SignInKey, request: RealmRequest): string | undefined {
  return devicesOf(key, request)[0]?.name;
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

function devicesOf(
  key: SignInKey,
  { params: { realm }, headers }: RealmRequest,
): { name: string; id: string }[] {
  const cookies = (headers.cookie ?? '').split(/; */).filter((pair) => pair.startsWith(prefix));
  const oldest = Date.now() / 1_000 - lifetimeSeconds;
  return cookies.flatMap((pair) => {
    const [, name = '', id = '', issuedAt = '', signature = ''] =
      /^(\w[\w-]*)=([\w-]+)\.(\d+)\.([\w-]+)$/.exec(pair) ?? [];
    const isOurs = key.isSigned(['device', realm, name, id, issuedAt], signature);
    return isOurs && Number(issuedAt) > oldest ? [{ name, id }] : [];
  });
}

/** Without the name of the user, which is nobody else's business. */
function cookieName(key: SignInKey, realm: string, username: string): string {
  return prefix + key.sign(['device name', realm, username]).slice(0, 16);
}
