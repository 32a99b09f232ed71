import { isNetwork } from '../platform/http/networks.ts';
import { parseUrl } from '../platform/http/parse-url.ts';
import type { Role } from '../platform/http/principal.ts';
import type { ValidationIssue } from '../platform/http/problem.ts';
import { isSecureAddress } from '../platform/http/secure-address.ts';
import { UserError } from '../platform/user-error.ts';
import { isReservedClientId } from './built-in-clients.ts';

export type ClientSettings = {
  name: string;
  redirectUris?: string[] | undefined;
  postLogoutRedirectUris?: string[] | undefined;
  role?: Role | undefined;
  /** The networks that it may call from; all by default. */
  networks?: string[] | undefined;
  /** Who its tokens are for, beside itself and the fleet interface. */
  audiences?: string[] | undefined;
  expiresAt?: Date | undefined;
};

/** A public client (a page, an app) has no secret. */
export type NewClient = ClientSettings & {
  /** Made from the name when left out. */
  id?: string | undefined;
  isPublic?: boolean | undefined;
};

/**
 * What is wrong with the settings of a client: a command prints it, the interface answers 400. Where `now` is given, also
 * whether it has expired.
 */
export function clientIssues(client: NewClient, now?: Date): ValidationIssue[] {
  const { redirectUris = [], postLogoutRedirectUris = [], networks = [], expiresAt } = client;
  return [
    ...idIssues(client.id),
    ...issuesOfEach('redirectUris', redirectUris, uriIssue),
    ...issuesOfEach('postLogoutRedirectUris', postLogoutRedirectUris, uriIssue),
    ...issuesOfEach('networks', networks, networkIssue),
    ...(expiresAt && now && expiresAt <= now
      ? [{ pointer: '/expiresAt', detail: 'The expiry must not be in the past.' }]
      : []),
    ...(client.isPublic && redirectUris.length === 0
      ? [{ pointer: '/redirectUris', detail: publicWithoutRedirect }]
      : []),
  ];
}

export function requireValidClient(client: NewClient, now?: Date): void {
  const [issue] = clientIssues(client, now);
  if (issue) throw new UserError(issue.detail);
}

export const publicWithoutRedirect =
  'A public client needs a redirect URI: signing a person in is all that it can do.';

function issuesOfEach(
  name: string,
  values: readonly string[],
  issueOf: (value: string) => string | undefined,
): ValidationIssue[] {
  return values.flatMap((value, index) => {
    const detail = issueOf(value);
    return detail === undefined ? [] : [{ pointer: `/${name}/${index}`, detail }];
  });
}

function networkIssue(text: string): string | undefined {
  if (isNetwork(text)) return undefined;
  return `"${text}" is not an address or a network such as 192.0.2.0/24.`;
}

function idIssues(id: string | undefined): ValidationIssue[] {
  const detail = id === undefined ? undefined : clientIdIssue(id);
  return detail === undefined ? [] : [{ pointer: '/id', detail }];
}

/** One that looks like that of a user could be taken for one in tokens. */
function clientIdIssue(id: string): string | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id))
    return `"${id}" is not an id: 1 to 64 letters, digits or any of . _ -, the first a letter or a digit.`;
  if (isReservedClientId(id)) return `"${id}" is reserved, as all ids that begin with motorpool-.`;
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    return `"${id}" looks like the id of a user: choose a name.`;
  // The OpenID library keeps what a session has granted in an object, by these ids.
  if (id in Object.prototype) return `"${id}" is reserved, as all names that every object has.`;
  return undefined;
}

/** By http, anybody on the way could read the code; the OpenID library supports no other schemes. */
function uriIssue(uri: string): string | undefined {
  if (uri.includes('*'))
    return `"${uri}" has an asterisk, which would stand for itself: name each address, they are compared character by character.`;
  // Browsers leave these out or read them as something else.
  if (/[\s\\\p{Cc}]/u.test(uri))
    return `${JSON.stringify(uri)} has a blank, a backslash or a control character.`;
  const { hostname = '', username = '', password = '' } = parseUrl(uri) ?? {};
  if (username !== '' || password !== '') return `"${uri}" names a user, whom browsers leave out.`;
  // In the policies of pages, a semicolon would begin another directive.
  if (!/^([\w.-]*|\[[0-9a-f:.]+\])$/.test(hostname))
    return `The host of "${uri}" has other characters than letters, digits, hyphens and dots.`;
  if (isSecureAddress(uri) && !uri.includes('#')) return undefined;
  return `"${uri}" is not an address by https, or by http on this machine, without a fragment, such as https://app.example.com/signed-in.`;
}
