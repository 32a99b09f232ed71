import { LRUCache } from 'lru-cache';
import type { Provider } from 'oidc-provider';

/** The tokens that were issued within the current second. */
export type TokenCache = {
  /** The token of this second for the key; issues it when it is the first. */
  share(key: readonly unknown[], issue: () => Promise<string>): Promise<string>;
};

const maxTokens = 10_000;

export function createTokenCache(): TokenCache {
  const tokens = new LRUCache<string, Promise<string>>({ max: maxTokens });
  let second = 0;

  return {
    share(key, issue) {
      const current = Math.floor(Date.now() / 1_000);
      if (current !== second) tokens.clear();
      second = current;
      const name = JSON.stringify(key);
      const known = tokens.get(name);
      if (known) return known;
      const token = issue();
      tokens.set(name, token);
      token.catch(() => tokens.delete(name));
      return token;
    },
  };
}

/**
 * Decision 0020: a client that asks again within a second gets the same token, for a fifth of the work. The
 * library has authenticated it by then, against the database as it is now.
 */
export function shareTokens(
  server: Provider,
  signingKey: string | undefined,
  tokens: TokenCache,
): void {
  const { prototype } = server.ClientCredentials;
  const issue = prototype.save;
  prototype.save = async function save() {
    const { client } = this;
    if (!client?.realm_is_current) return issue.call(this);
    const key = [signingKey, client.clientId, client.clientSecret, this.scope, this.aud];
    return tokens.share(key, () => issue.call(this));
  };
}
