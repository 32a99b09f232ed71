export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/avif'] as const;
export type ImageType = (typeof imageTypes)[number];

/** How many bytes tell the type. */
export const signatureBytes = 64;

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const jpegSignature = Buffer.from([0xff, 0xd8, 0xff]);

/** The type of an image by its first bytes; undefined for all that is none of these types, whatever its name. */
export function imageTypeOf(head: Buffer): ImageType | undefined {
  if (head.subarray(0, 8).equals(pngSignature)) return 'image/png';
  if (head.subarray(0, 3).equals(jpegSignature)) return 'image/jpeg';
  const text = head.toString('latin1', 0, signatureBytes);
  if (/^RIFF.{4}WEBPVP8[ LX]/s.test(text)) return 'image/webp';
  if (text.slice(4, 8) === 'ftyp' && brandsOf(head, text).includes('avif')) return 'image/avif';
  return undefined;
}

/** The major and the compatible brands of an ISO base media file, as far as they are in the head. */
function brandsOf(head: Buffer, text: string): string[] {
  const end = Math.min(head.readUInt32BE(0), text.length);
  const compatible = text.slice(16, end).match(/.{4}/gs) ?? [];
  return [text.slice(8, 12), ...compatible];
}
