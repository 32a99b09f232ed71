import { DocumentError } from './document-error.ts';

const decoders: Record<string, string> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'utf-16': 'utf-16le',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  'us-ascii': 'utf-8',
  'windows-1252': 'windows-1252',
  cp1252: 'windows-1252',
  // Node knows ISO 8859-1 as latin1 alone: its TextDecoder reads windows-1252 under that name.
  'iso-8859-1': 'latin1',
  latin1: 'latin1',
  'iso-8859-15': 'iso-8859-15',
};

/** The text of an XML document in pieces, by its byte order mark, else by its declaration. */
export function* decodeXml(bytes: Uint8Array, pieceBytes: number): Generator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const encoding = encodingOf(buffer);
  const decode = decoder(encoding);
  for (let start = 0; start < buffer.length; start += pieceBytes) {
    const end = Math.min(start + pieceBytes, buffer.length);
    let text: string;
    try {
      text = decode(buffer.subarray(start, end), end === buffer.length);
    } catch {
      throw new DocumentError('malformed', `The document is not in its encoding, ${encoding}.`);
    }
    yield text;
  }
}

function decoder(encoding: string): (piece: Buffer, last: boolean) => string {
  if (encoding === 'latin1') return (piece) => piece.toString('latin1');
  const textDecoder = new TextDecoder(encoding, { fatal: true });
  return (piece, last) => textDecoder.decode(piece, { stream: !last });
}

function encodingOf(buffer: Buffer): string {
  if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) return 'utf-8';
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return 'utf-16le';
  if (buffer[0] === 0xfe && buffer[1] === 0xff) return 'utf-16be';
  if (buffer[0] === 0x3c && buffer[1] === 0) return 'utf-16le';
  if (buffer[0] === 0 && buffer[1] === 0x3c) return 'utf-16be';
  const head = buffer.subarray(0, 200).toString('latin1');
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(head)?.[1];
  if (declared === undefined) return 'utf-8';
  const name = declared.toLowerCase();
  const known = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (known === undefined || known.startsWith('utf-16')) {
    const detail = `The document declares the encoding ${declared}, which is not read: send it in UTF-8.`;
    throw new DocumentError('malformed', detail);
  }
  return known;
}
