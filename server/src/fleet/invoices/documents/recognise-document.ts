/** What bytes are by their content, whatever name or type they were sent under. */
export type DocumentFormat = keyof typeof documentTypes;

export const documentTypes = {
  xml: { extension: 'xml', contentType: 'application/xml' },
  pdf: { extension: 'pdf', contentType: 'application/pdf' },
  png: { extension: 'png', contentType: 'image/png' },
  jpeg: { extension: 'jpg', contentType: 'image/jpeg' },
  webp: { extension: 'webp', contentType: 'image/webp' },
  avif: { extension: 'avif', contentType: 'image/avif' },
  tiff: { extension: 'tiff', contentType: 'image/tiff' },
};

/** By how many of its first bytes a document is recognised. */
export const bytesOfFormat = 1_024;

export function recogniseDocument(bytes: Uint8Array): DocumentFormat | undefined {
  const length = Math.min(bytes.byteLength, bytesOfFormat);
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, length);
  // Readers accept a PDF whose header is within the first kilobyte.
  if (head.includes('%PDF-')) return 'pdf';
  const text = head.toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (/^RIFF.{4}WEBP/s.test(text)) return 'webp';
  if (/^.{4}ftyp(avif|avis)/s.test(text)) return 'avif';
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return 'tiff';
  return looksLikeXml(text) ? 'xml' : undefined;
}

function looksLikeXml(text: string): boolean {
  // One byte of two is zero in the markup of UTF-16.
  const markup = text.replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').replaceAll('\0', '');
  return /^\s*</.test(markup);
}
