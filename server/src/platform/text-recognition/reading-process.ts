import { buffer } from 'node:stream/consumers';
import { limitDecoders } from '../isolation/limit-decoders.ts';
import { watchProcess } from '../isolation/watch-process.ts';
import { documentType } from './document-type.ts';
import { readPdf } from './read-pdf.ts';
import { decodePicture, readPicture } from './read-picture.ts';
import {
  keptTextLength,
  type RecognisedDocument,
  RecognitionError,
  type RecognitionLimits,
} from './recognised-document.ts';
import { openTextRecogniser } from './tesseract.ts';

/**
 * The process that reads one document: its bytes come on standard input, and the result goes to standard output as JSON, in one line
 * what is kept of it or why it could not be read, and in the next all of it.
 */

const limits = JSON.parse(process.argv[2] ?? '') as RecognitionLimits;
watchProcess(limits);
limitDecoders(['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff']);

const controlCharacters = /[^\P{Cc}\t\n]/gu;

const recogniser = openTextRecogniser();
const result = await read(await buffer(process.stdin)).then(
  (document) => {
    const { pages, pageCount, source } = bounded(document);
    const kept = { pageCount, source, texts: keptTexts(pages) };
    return `${JSON.stringify(kept)}\n${JSON.stringify({ pages, pageCount, source })}`;
  },
  (error: unknown) => {
    if (error instanceof RecognitionError) return JSON.stringify({ failure: error.reason });
    process.stderr.write(String(error));
    return JSON.stringify({ failure: 'damaged' });
  },
);
await recogniser.close();
process.stdout.write(result, () => process.exit(0));

async function read(bytes: Buffer): Promise<RecognisedDocument> {
  if (documentType(bytes) === 'pdf') {
    return readPdf(bytes, limits, (picture) => readPicture(picture, recogniser));
  }
  const page = await readPicture(await decodePicture(bytes, limits), recogniser);
  return { pages: [page], pageCount: 1, source: 'recognition' };
}

/** As many words as the limits allow, so that the answer is bounded, and what is made of it in the service. */
function bounded(document: RecognisedDocument): RecognisedDocument {
  let left = limits.words;
  const pages = document.pages.map((page) => {
    const words = page.words
      .slice(0, Math.min(left, limits.wordsOfPage))
      .map((word) => ({ ...word, text: plainText(word.text, limits.wordLength) }));
    left -= words.length;
    const tickBoxes = page.tickBoxes.slice(0, limits.wordsOfPage);
    return { ...page, words, tickBoxes, text: plainText(page.text, limits.textLength) };
  });
  return { ...document, pages };
}

function keptTexts(pages: RecognisedDocument['pages']): string[] {
  let left = keptTextLength;
  return pages.map(({ text }) => {
    const kept = text.slice(0, left).toWellFormed();
    left -= kept.length;
    return kept;
  });
}

/** Without what a database does not hold, and what no text has. */
function plainText(text: string, length: number): string {
  return text.slice(0, length).replaceAll(controlCharacters, '').toWellFormed();
}
