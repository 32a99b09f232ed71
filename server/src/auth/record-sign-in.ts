import { LRUCache } from 'lru-cache';
import { atMost } from '../platform/cache-bound.ts';
import type { Database } from '../platform/db/database.ts';
import { clientNetwork } from '../platform/http/client-network.ts';
import { realmDatabase } from './realm-database.ts';

export type SignIn = {
  provider: string;
  /**
   * Failed: wrong credentials; `code-failed`: a wrong code after the right password. Refused: too many attempts, whatever the
   * credentials.
   */
  action: 'signed-in' | 'sign-in-failed' | 'code-failed' | 'sign-in-refused' | 'signed-out';
  /** Whether a person signs in, or a client authenticates itself. */
  type: 'user' | 'client';
  /** The name of the user; the id, of one who signed out. */
  user?: string;
  clientId?: string;
  address: string;
  requestId?: string;
};

const windowMs = 60_000;
const maxTargets = 10_000;
const maxFailuresOfNetwork = 30;
const maxFailuresOfRealm = 60;

/** Writes sign-ins to the audit trail. */
export type SignInRecorder = (signIn: SignIn) => Promise<void>;

/**
 * Of failures, it writes the first of a minute for a name and a network. Of those that anybody can cause, a number for a
 * network and for a realm: the log has them all.
 */
export function createSignInRecorder(db: Database, now: () => number = Date.now): SignInRecorder {
  const recent = new LRUCache<string, number>({
    ...atMost(maxTargets),
    // The library expires an entry only when its age exceeds the TTL.
    ttl: windowMs - 1,
    ttlResolution: 0,
    perf: { now },
    noUpdateTTL: true,
  });
  const countOf = (key: string): number => recent.get(key) ?? 0;
  const count = (key: string): void => {
    recent.set(key, countOf(key) + 1);
  };
  const isRecorded = ({ provider, action, type, user, clientId, address }: SignIn): boolean => {
    if (action === 'signed-in' || action === 'signed-out') return true;
    const network = clientNetwork(address);
    // Before a name is remembered: whoever makes up many would have these forgotten.
    const isOneTooMany =
      countOf(network) >= maxFailuresOfNetwork || countOf(provider) >= maxFailuresOfRealm;
    // Somebody knows a password: no flood of others hides it.
    if (isOneTooMany && action !== 'code-failed') return false;
    const name = type === 'user' ? user : clientId;
    const named = name?.slice(0, 100).toLowerCase();
    const target = JSON.stringify([provider, action, type, named, network]);
    if (countOf(target) > 0) return false;
    for (const key of [target, network, provider]) count(key);
    return true;
  };

  return async (signIn) => {
    if (!isRecorded(signIn)) return;
    const { provider, action, type, user, clientId, address, requestId } = signIn;
    const insert = action === 'signed-out' ? insertSignOut : insertSignIn;
    await realmDatabase(db, provider).query(insert, [
      provider,
      action,
      type,
      user?.replaceAll('\0', '').toLowerCase() ?? null,
      clientId?.replaceAll('\0', '') ?? null,
      address,
      requestId ?? null,
      action === 'signed-in' || action === 'signed-out',
    ]);
  };
}

// Names that nobody has are not stored: they may be passwords, typed in the wrong place.
const insertOf = (isUser: string) => `
  insert into audit_events (provider, action, type, record_id, actor)
  select $1, $2, $3::text, coalesce(u.id::text, c.id), jsonb_strip_nulls(jsonb_build_object(
    'kind', case when $8::boolean then $3 else 'anonymous' end,
    'clientId', case when $3 = 'client' then c.id else $5 end,
    'subject', case when $8 then coalesce(u.id::text, c.id) end,
    'username', u.username,
    'address', $6::text,
    'requestId', $7::text,
    'operation', case when $3 = 'client' then 'requestToken' when $2 = 'signed-out' then 'signOut' else 'signIn' end
  ))
  from (select) one
  left join users u on $3 = 'user' and u.provider = $1
    and ${isUser}
  left join clients c on $3 = 'client' and c.provider = $1 and c.id = $5`;

// Each by an index, as there may be many users.
const insertSignIn = insertOf('u.username = $4');
const insertSignOut = insertOf('u.id = $4::uuid');
