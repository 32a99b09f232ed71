import pg from 'pg';

export const textArrayType: number = 1_009;
const parseNested = pg.types.getTypeParser(textArrayType);

/** As the driver parses it, but by elements instead of characters: docs/decisions/0025-hot-path.md. */
export function parseTextArray(text: string): (string | null)[] {
  const isPlain = text[0] === '{' && text[1] !== '{';
  if (!isPlain) return parseNested(text);
  const elements: (string | null)[] = [];
  const last = text.length - 1;
  for (let at = 1; at < last; ) {
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      elements.push(withoutEscapes(text.slice(at + 1, end)));
      at = end + 2;
    } else {
      const comma = text.indexOf(',', at);
      const end = comma < 0 ? last : comma;
      const element = text.slice(at, end);
      elements.push(element === 'NULL' ? null : element);
      at = end + 1;
    }
  }
  return elements;
}

/** The first quote that is not escaped: one behind an even number of backslashes. */
function closingQuote(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text[before - 1] === '\\') before -= 1;
    if ((quote - before) % 2 === 0) return quote;
  }
  throw new Error('An element of an array does not end.');
}

function withoutEscapes(element: string): string {
  return element.includes('\\') ? element.replaceAll(/\\(["\\])/g, '$1') : element;
}
