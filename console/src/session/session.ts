import { ConnectionError } from '@motorpool/client';
import { beginSignIn, type Realm, refreshTokens, signOut, type Tokens } from './sign-in.ts';

const roles = ['viewer', 'editor', 'admin'] as const;
export type Role = (typeof roles)[number];

export type Person = { name: string; username: string; email: string | undefined };

type Claims = {
  name?: string;
  preferred_username?: string;
  email?: string;
  sub?: string;
  realm_access?: { roles?: string[] };
};

/** Somebody who is signed in. The tokens are in memory alone: a reload gets others by the session's cookie. */
export class Session {
  readonly provider: string;
  readonly person: Person;
  readonly #realm: Realm;
  readonly #role: Role | undefined;
  #tokens: Tokens;
  #refreshing: Promise<string> | undefined;

  constructor(realm: Realm, tokens: Tokens, defaultRole?: string) {
    this.provider = realm.provider;
    this.#realm = realm;
    this.#tokens = tokens;
    const claims = claimsOf(tokens.accessToken);
    const username = claims.preferred_username ?? claims.sub ?? '';
    this.person = { name: claims.name ?? username, username, email: claims.email };
    this.#role = roleOf(claims, defaultRole);
  }

  /** Whether the interface lets this person do what needs the role; it decides by itself, too. */
  may(role: Role): boolean {
    return this.#role !== undefined && roles.indexOf(this.#role) >= roles.indexOf(role);
  }

  get role(): Role | undefined {
    return this.#role;
  }

  /** A token that is good for a while. */
  async accessToken(): Promise<string> {
    const { accessToken, expiresAt } = this.#tokens;
    if (Date.now() < expiresAt - renewBeforeMs) return accessToken;
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** Leaves the page, and comes back to it. */
  signInAgain(): Promise<never> {
    return beginSignIn(this.#realm, location.href.slice(location.origin.length));
  }

  signOut(): void {
    signOut(this.#realm, this.#tokens);
  }

  async #refresh(): Promise<string> {
    try {
      this.#tokens = await refreshTokens(this.#realm, this.#tokens);
    } catch (error) {
      if (error instanceof ConnectionError) throw error;
      // Whoever is asked whether to leave may stay: a later request asks once more.
      await Promise.race([this.signInAgain(), pause(leaveMs)]);
      throw new ConnectionError('No token: the session has ended', { cause: error });
    }
    return this.#tokens.accessToken;
  }
}

/** How long requests wait for the page to be left. */
const leaveMs = 10_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const renewBeforeMs = 60_000;

/** As the interface takes it: the default is for tokens that name none of its roles, an empty list permits nothing. */
function roleOf({ realm_access }: Claims, defaultRole: string | undefined): Role | undefined {
  const named = realm_access?.roles;
  const highestOf = (names: string[]) => roles.findLast((role) => names.includes(role));
  if (named?.length === 0) return undefined;
  return highestOf(named ?? []) ?? highestOf(defaultRole === undefined ? [] : [defaultRole]);
}

/** For what is shown: the service verifies every token itself. */
function claimsOf(token: string): Claims {
  const [, payload = ''] = token.split('.');
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return {};
  }
}
