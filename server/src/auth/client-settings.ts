import { isNetwork } from '../platform/http/networks.ts';
import type { Role } from '../platform/http/principal.ts';
import type { ValidationIssue } from '../platform/http/problem.ts';
import { isSecureAddress } from '../platform/http/secure-address.ts';
import { UserError } from '../platform/user-error.ts';

export type ClientSettings = {
  name: string;
  redirectUris?: string[] | undefined;
  postLogoutRedirectUris?: string[] | undefined;
  role?: Role | undefined;
  /** The networks that it may call from; all by default. */
  networks?: string[] | undefined;
  expiresAt?: Date | undefined;
};

/** A public client (a page, an app) has no secret. */
export type NewClient = ClientSettings & { isPublic?: boolean | undefined };

/** What is wrong with the settings of a client: a command prints it, the interface answers 400. */
export function clientIssues(client: NewClient, now = new Date()): ValidationIssue[] {
  const { redirectUris = [], postLogoutRedirectUris = [], networks = [], expiresAt } = client;
  return [
    ...issuesOfEach('redirectUris', redirectUris, uriIssue),
    ...issuesOfEach('postLogoutRedirectUris', postLogoutRedirectUris, uriIssue),
    ...issuesOfEach('networks', networks, networkIssue),
    ...(expiresAt && expiresAt <= now
      ? [{ pointer: '/expiresAt', detail: 'The expiry must not be in the past.' }]
      : []),
    ...(client.isPublic && redirectUris.length === 0
      ? [{ pointer: '/redirectUris', detail: publicWithoutRedirect }]
      : []),
  ];
}

export function requireValidClient(client: NewClient): void {
  const [issue] = clientIssues(client);
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

/** By http, anybody on the way could read the code; the OpenID library supports no other schemes. */
function uriIssue(uri: string): string | undefined {
  if (isSecureAddress(uri) && !uri.includes('#')) return undefined;
  return `"${uri}" is not an address by https, or by http on this machine, without a fragment, such as https://app.example.com/signed-in.`;
}
