/** What a document is by its first bytes, whatever its name and declared type say; undefined of what is not read. */
export function documentType(start: Buffer): 'pdf' | 'picture' | undefined {
  // The header of a PDF may come after other bytes.
  if (start.subarray(0, 1_024).includes('%PDF-')) return 'pdf';
  const text = start.toString('latin1', 0, 16);
  const isPicture =
    text.startsWith('\x89PNG\r\n\x1a\n') ||
    text.startsWith('\xff\xd8\xff') ||
    /^RIFF.{4}WEBP/s.test(text) ||
    /^.{4}ftyp(avif|avis|mif1)/s.test(text) ||
    /^GIF8[79]a/.test(text) ||
    /^(II\*\0|MM\0\*)/.test(text);
  return isPicture ? 'picture' : undefined;
}
