/** The text as far as there is room for it; the document has the rest. */
export function clipped(text: string | undefined, length: number): string | undefined {
  if (text === undefined || text.length <= length) return text || undefined;
  return text
    .slice(0, length - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .concat('…');
}
