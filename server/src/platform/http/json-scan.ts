/** What a JSON text consists of, counted without parsing it. */
export type Scanned = {
  end: number;
  depth: number;
  names: number;
  /** Bytes of the longest name. */
  longestName: number;
  /** Characters of names that a JSON pointer escapes, or that may stand for such. */
  escapes: number;
  values: number;
};

const [quote, backslash, comma, colon, tilde, slash] = [0x22, 0x5c, 0x2c, 0x3a, 0x7e, 0x2f];

/**
 * Scans one value, up to a comma or a closing bracket that is not its own, or to the end of the bytes. Malformed
 * text is left to the parser: what it makes of the value between `start` and `end` is the same.
 */
export function scanValue(bytes: Uint8Array, start = 0): Scanned {
  let depth = 0;
  let text = { from: start, to: start };
  const scanned = {
    end: bytes.length,
    depth: 0,
    names: 0,
    longestName: 0,
    escapes: 0,
    values: 1,
  };
  for (let index = start; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === quote) {
      const from = index + 1;
      index = endOfString(bytes, index);
      text = { from, to: Math.min(index, bytes.length) };
    } else if (byte === comma) {
      if (depth === 0) return { ...scanned, end: index };
      scanned.values += 1;
    } else if (byte === colon) {
      scanned.names += 1;
      scanned.longestName = Math.max(scanned.longestName, text.to - text.from);
      scanned.escapes += escapesIn(bytes, text);
    } else if (opens(byte)) {
      depth += 1;
      scanned.values += 1;
      if (depth > scanned.depth) scanned.depth = depth;
    } else if (closes(byte)) {
      if (depth === 0) return { ...scanned, end: index };
      depth -= 1;
    }
  }
  return scanned;
}

function escapesIn(bytes: Uint8Array, { from, to }: { from: number; to: number }): number {
  let escapes = 0;
  for (let index = from; index < to; index++) {
    const byte = bytes[index];
    if (byte === tilde || byte === slash || byte === backslash) escapes += 1;
  }
  return escapes;
}

/** The index of the quote that ends the string; past the end if none does. */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== quote)
    index += bytes[index] === backslash ? 2 : 1;
  return index;
}

function opens(byte: number | undefined): boolean {
  return byte === 0x5b || byte === 0x7b;
}

function closes(byte: number | undefined): boolean {
  return byte === 0x5d || byte === 0x7d;
}

export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The index of the first byte that is not blank. */
export function skipBlanks(bytes: Uint8Array, start: number): number {
  let index = start;
  while (index < bytes.length && isBlank(bytes[index])) index += 1;
  return index;
}
