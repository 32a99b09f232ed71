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

/** The first quote that is not escaped. */
function closingQuote(text: string, from: number): number {
  const first = text.indexOf('"', from);
  if (first >= 0 && text[first - 1] !== '\\') return first;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) return at;
  }
  throw new Error('An element of an array does not end.');
}

/** What follows a backslash stands for itself. */
function withoutEscapes(element: string): string {
  if (!element.includes('\\')) return element;
  const plain = new Uint16Array(element.length);
  let length = 0;
  for (let at = 0; at < element.length; at++) {
    let code = element.charCodeAt(at);
    if (code === backslash) code = element.charCodeAt(++at);
    plain[length++] = code;
  }
  return Buffer.from(plain.buffer, 0, length * 2).toString('utf16le');
}

const backslash = 0x5c;
const quote = 0x22;
