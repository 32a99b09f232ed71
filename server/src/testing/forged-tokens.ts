import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { loadRealm } from '../auth/realms.ts';
import type { TestService } from './test-service.ts';

type Claims = Record<string, unknown>;

/** Tokens that must all be rejected, by what is wrong with each. */
export async function forgedTokens({
  db,
  url,
  token,
}: TestService): Promise<Record<string, string>> {
  const genuine = await token();
  const [header = '', payload = '', signature = ''] = genuine.split('.');
  const claims: Claims = decode(payload);
  const { kid } = decode(header) as { kid: string };
  const [own] = (await loadRealm(db, 'DE-ABC'))?.keys ?? [];
  const [foreign] = (await loadRealm(db, 'FR-XYZ'))?.keys ?? [];
  if (!own || !foreign) throw new Error('the realms have no keys');
  const ownKey = createPrivateKey({ key: own as never, format: 'jwk' });
  const foreignKey = createPrivateKey({ key: foreign as never, format: 'jwk' });
  const publicPem = createPublicKey(ownKey).export({ type: 'spki', format: 'pem' }) as string;
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const now = Math.floor(Date.now() / 1_000);
  const accessToken = { alg: 'RS256', typ: 'at+jwt', kid };
  return {
    garbage: 'garbage',
    'three dots': '...',
    'not JSON': 'YQ.YQ.YQ',
    'no signature': `${header}.${payload}.`,
    'algorithm none': `${encode({ ...accessToken, alg: 'none' })}.${payload}.`,
    'HS256 with the public key': hmac({ ...accessToken, alg: 'HS256' }, claims, publicPem),
    'HS256 with the public JWK': hmac({ ...accessToken, alg: 'HS256' }, claims, own.n ?? ''),
    'another realm’s key': rsa({ ...accessToken, kid: foreign.kid }, claims, foreignKey),
    'another realm’s key under our kid': rsa(accessToken, claims, foreignKey),
    'a stranger’s key': rsa(accessToken, claims, stranger),
    'a changed payload': `${header}.${encode({ ...claims, sub: 'somebody' })}.${signature}`,
    expired: rsa(accessToken, { ...claims, exp: now - 1 }, ownKey),
    'no expiry': rsa(accessToken, { ...claims, exp: undefined }, ownKey),
    'not valid yet': rsa(accessToken, { ...claims, nbf: now + 3_600 }, ownKey),
    'another issuer': rsa(
      accessToken,
      { ...claims, iss: 'https://elsewhere.example.com/realms/DE-ABC' },
      ownKey,
    ),
    'an issuer without a realm': rsa(accessToken, { ...claims, iss: `${url}/realms/` }, ownKey),
    'an ID token': rsa(
      { alg: 'RS256', kid },
      { ...claims, typ: undefined, aud: claims.client_id },
      ownKey,
    ),
  };
}

function decode(part: string): Claims {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function rsa(header: object, claims: Claims, key: KeyObject): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
}

function hmac(header: object, claims: Claims, secret: string): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}
