import { LRUCache } from 'lru-cache';
import type { Provider } from 'oidc-provider';
import { atMost } from '../platform/cache-bound.ts';

/** The tokens that were issued within the current second. */
export type TokenCache = {
  /** The token of the current second for the key; issues it if there is none. */
  getOrIssue(key: readonly unknown[], issue: () => Promise<string>): Promise<string>;
  /** One that was revoked is not given again. */
  forget(token: string): void;
};

const maxTokens = 10_000;

export function createTokenCache(): TokenCache {
  const tokens = new LRUCache<string, Promise<string>>(atMost(maxTokens));
  /** The names of those that were issued, by token. */
  const names = new LRUCache<string, string>(atMost(maxTokens));
  let second = 0;

  return {
    getOrIssue(key, issue) {
      const current = Math.floor(Date.now() / 1_000);
      if (current !== second) {
        tokens.clear();
        names.clear();
      }
      second = current;
      const name = JSON.stringify(key);
      const cached = tokens.get(name);
      if (cached) return cached;
      const token = issue();
      tokens.set(name, token);
      token.then(
        (issued) => names.set(issued, name),
        () => tokens.delete(name),
      );
      return token;
    },
    forget(token) {
      const name = names.get(token);
      if (name !== undefined) tokens.delete(name);
    },
  };
}

/**
 * A client that requests a token again within a second gets the same one: docs/decisions/0020-token-cache.md.
 * The library has authenticated it before, against the database.
 */
export function cacheTokens(
  server: Provider,
  signingKey: string | undefined,
  tokens: TokenCache,
): void {
  const { prototype } = server.ClientCredentials;
  const issue = prototype.save;
  prototype.save = async function save() {
    const { client } = this;
    if (!client?.realm_is_current) return issue.call(this);
    const key = [
      signingKey,
      client.clientId,
      client.clientSecret,
      client.role,
      client.networks,
      client.audiences,
      client.revocation,
      this.scope,
      this.aud,
    ];
    return tokens.getOrIssue(key, () => issue.call(this));
  };
}
