import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** Encrypts values before they are stored. */
export type SecretBox = {
  /** The id of the key that seals. */
  keyId: string;
  hasKey(id: string): boolean;
  /** The name is authenticated: a value that is sealed as one secret cannot be opened as another. */
  seal(name: string, plaintext: string): string;
  open(name: string, sealed: string): string;
};

export const keyBytes = 32;
const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** The first key seals; all of them open. A sealed value is the id of its key, a dot, and iv, ciphertext and tag. */
export function createSecretBox(keys: readonly [Buffer, ...Buffer[]]): SecretBox {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  const [first] = keys;
  const keyId = idOf(first);
  return {
    keyId,
    hasKey: (id) => byId.has(id),
    seal(name, plaintext) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, first, iv).setAAD(Buffer.from(name));
      const parts = [iv, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return `${keyId}.${Buffer.concat(parts).toString('base64url')}`;
    },
    open(name, sealed) {
      const [id = '', encoded = ''] = sealed.split('.');
      const key = byId.get(id);
      if (!key) {
        throw new Error(
          `The secret ${name} is sealed under the key ${id}, which this process does not have: set SECRETS_KEY.`,
        );
      }
      const bytes = Buffer.from(encoded, 'base64url');
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(Buffer.from(name))
        .setAuthTag(bytes.subarray(-tagBytes));
      return (
        decipher.update(bytes.subarray(ivBytes, -tagBytes), undefined, 'utf8') +
        decipher.final('utf8')
      );
    },
  };
}

/** For connections that handle no secrets. */
export const noSecrets: SecretBox = {
  keyId: '',
  hasKey: () => false,
  seal: refuse,
  open: refuse,
};

function refuse(name: string): never {
  throw new Error(`This connection has no key for the secret ${name}.`);
}

/** Reveals nothing of the key. */
function idOf(key: Buffer): string {
  return createHmac('sha256', key).update('motorpool key id').digest('hex').slice(0, 16);
}
