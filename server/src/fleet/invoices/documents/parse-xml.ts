import { SaxesParser } from 'saxes';
import { decodeXml } from './decode-xml.ts';
import { DocumentError } from './document-error.ts';
import { documentPace } from './document-pace.ts';
import type { XmlElement } from './xml-element.ts';

export const xmlBounds = {
  bytes: 20 * 1_048_576,
  elements: 200_000,
  depth: 40,
  /** More than an invoice may have lines: what is made of them is made at once. */
  childrenOfElement: 5_000,
  attributesOfElement: 40,
  /** Of an element or an attribute, with its prefix, and of a namespace: findings repeat names along their paths. */
  charactersOfName: 200,
  /**
   * Of the text of an element, or of an attribute; files that are embedded do not count. V8 has one hash for all texts of more than
   * 16,383 characters that are equally long: as keys of a set they are compared with each other, for seconds.
   */
  characters: 16_000,
  embeddedFiles: 200,
};

const pieceBytes = 8_192;
/** Of one comment, text or tag; the parser joins them from parts as short as a character, which take far more memory. */
const maxPieces = 128;

/** Of Base64, with CRLF counted as two ends: 76 characters are usual. */
const minLineLength = 32;

/** Elements that hold a file in Base64: it stays in the document, its text is not kept. */
const embeddedFile = new Set(['EmbeddedDocumentBinaryObject', 'AttachmentBinaryObject']);

/**
 * The tree of a well-formed document without a document type declaration. `namespacesOf` tells from the root which
 * namespaces are of the syntax: elements of others are left out with all that is in them.
 */
export async function parseXml(
  bytes: Uint8Array,
  namespacesOf: (root: { name: string; uri: string }) => ReadonlySet<string>,
): Promise<XmlElement> {
  if (bytes.byteLength > xmlBounds.bytes) throw tooMuch('bytes', xmlBounds.bytes);
  const builder = treeBuilder(namespacesOf);
  const endSlice = documentPace.begin();
  try {
    for (const text of decodeXml(bytes, pieceBytes)) {
      builder.parser.write(text);
      builder.requireProgress(text);
      await endSlice();
    }
    builder.parser.close();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DocumentError(
      'malformed',
      `The document is not well-formed XML: ${reason.slice(0, 200)}`,
    );
  }
  const root = builder.root();
  if (root === undefined) throw new DocumentError('malformed', 'The document has no element.');
  return root;
}

function treeBuilder(namespacesOf: (root: { name: string; uri: string }) => ReadonlySet<string>) {
  const parser = new SaxesParser({ xmlns: true });
  let root: XmlElement | undefined;
  let current: XmlElement | undefined;
  let namespaces: ReadonlySet<string> = new Set();
  /** One text of each name: equal ones that are two are compared by their characters, each time. */
  const names = new Map<string, string>();
  let depth = 0;
  let leftOutDepth = 0;
  let elements = 0;
  let attributes = 0;
  let files = 0;
  let pieces = 0;

  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new DocumentError('malformed', 'A document type declaration is not accepted.');
  });
  const progress = () => {
    pieces = 0;
  };
  parser.on('comment', progress);
  parser.on('processinginstruction', progress);
  parser.on('opentagstart', ({ name }) => {
    progress();
    requireShortName(name);
    attributes = 0;
    if (++depth > xmlBounds.depth) throw tooMuch('levels of elements', xmlBounds.depth);
    if (++elements > xmlBounds.elements) throw tooMuch('elements', xmlBounds.elements);
  });
  parser.on('attribute', ({ name, value }) => {
    requireShortName(name);
    if (++attributes > xmlBounds.attributesOfElement) {
      throw tooMuch('attributes of an element', xmlBounds.attributesOfElement);
    }
    if (/^xmlns(:|$)/.test(name)) requireShortName(value);
    requireShort(value);
  });
  parser.on('opentag', ({ local: name, uri, attributes: named }) => {
    if (root === undefined) namespaces = namespacesOf({ name, uri });
    if (leftOutDepth > 0 || !namespaces.has(uri)) {
      leftOutDepth++;
      return;
    }
    if (embeddedFile.has(name) && ++files > xmlBounds.embeddedFiles) {
      throw tooMuch('embedded files', xmlBounds.embeddedFiles);
    }
    const own = Object.values(named).filter((attribute) => attribute.uri === '');
    if (!names.has(name)) names.set(name, name);
    const element: XmlElement = {
      name: names.get(name) ?? name,
      uri,
      attributes: Object.fromEntries(own.map(({ local, value }) => [local, value])),
      children: [],
      text: '',
      parent: current,
    };
    if (current && current.children.push(element) > xmlBounds.childrenOfElement) {
      throw tooMuch('elements in one', xmlBounds.childrenOfElement);
    }
    root ??= element;
    current = element;
  });
  parser.on('closetag', () => {
    progress();
    depth--;
    if (leftOutDepth > 0) {
      leftOutDepth--;
      return;
    }
    // At once for each element: for all together it would keep other requests waiting.
    if (current) current.text = current.text.replaceAll(/\s+/g, ' ').trim();
    current = current?.parent;
  });
  const append = (text: string) => {
    progress();
    if (leftOutDepth > 0 || current === undefined || embeddedFile.has(current.name)) return;
    current.text += text;
    requireShort(current.text);
  };
  parser.on('text', append);
  parser.on('cdata', append);
  /** After each piece. */
  const requireProgress = (piece: string) => {
    const isFile = current !== undefined && embeddedFile.has(current.name);
    if (isFile && isBase64(piece)) return;
    if (++pieces > maxPieces) throw tooMuch('bytes in one part', maxPieces * pieceBytes);
  };
  return { parser, root: () => root, requireProgress };
}

/** Base64 has none of the characters that the parser stops at but the ends of lines, and its lines are not short. */
function isBase64(piece: string): boolean {
  const lineEnds = piece.match(/[\t\n\r\x85\u2028]/g)?.length ?? 0;
  return lineEnds <= piece.length / minLineLength && !/[-?\]&]/.test(piece);
}

function requireShort(text: string): void {
  if (text.length <= xmlBounds.characters) return;
  throw tooMuch('characters in one element or attribute', xmlBounds.characters);
}

function requireShortName(name: string): void {
  if (name.length <= xmlBounds.charactersOfName) return;
  throw tooMuch('characters in one name', xmlBounds.charactersOfName);
}

export function tooMuch(what: string, limit: number): DocumentError {
  return new DocumentError('malformed', `The document has more than ${limit} ${what}.`);
}
