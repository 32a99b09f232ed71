import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate for `localhost` that has signed itself, and its key (RFC 5280, in DER). */
export function selfSignedCertificate(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
  const commonName = sequence(set(sequence(objectId('550403'), element(0x0c, 'localhost'))));
  const alternativeNames = sequence(
    objectId('551d11'),
    element(0x04, sequence(element(0x82, 'localhost'))),
  );
  const signed = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    commonName,
    sequence(element(0x18, '20200101000000Z'), element(0x18, '99991231235959Z')),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(alternativeNames)),
  );
  const signature = sign('sha256', signed, privateKey);
  const der = sequence(
    signed,
    ecdsaWithSha256,
    element(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

function element(tag: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  const long = bytes.length < 256 ? [0x81, bytes.length] : [0x82, bytes.length >> 8, bytes.length];
  return Buffer.concat([
    Buffer.from([tag, ...(bytes.length < 128 ? [bytes.length] : long)]),
    bytes,
  ]);
}

const sequence = (...elements: Buffer[]) => element(0x30, Buffer.concat(elements));
const set = (...elements: Buffer[]) => element(0x31, Buffer.concat(elements));
const objectId = (hex: string) => element(0x06, Buffer.from(hex, 'hex'));
