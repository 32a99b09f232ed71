import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Database } from '../../platform/db/database.ts';
import { serverSecret, signInSecrets } from '../secrets.ts';

/** Signs what browsers keep for us, and hashes what should not be stored as it is. */
export type SignInKey = {
  hash(parts: readonly unknown[]): Buffer;
  sign(parts: readonly unknown[]): string;
  isSigned(parts: readonly unknown[], signature: string): boolean;
};

/** Read from the database once; every process has the same. */
export function signInKeyLoader(db: Database): () => Promise<SignInKey> {
  let loaded: Promise<SignInKey> | undefined;
  return () => {
    loaded ??= serverSecret(db, signInSecrets.signIns).then(createSignInKey);
    loaded.catch(() => {
      loaded = undefined;
    });
    return loaded;
  };
}

function createSignInKey(secret: Buffer): SignInKey {
  const hash = (parts: readonly unknown[]) =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest();
  return {
    hash,
    sign: (parts) => hash(parts).toString('base64url'),
    isSigned(parts, signature) {
      const [expected, sent] = [hash(parts), Buffer.from(signature, 'base64url')];
      return sent.length === expected.length && timingSafeEqual(sent, expected);
    },
  };
}
