/** A document as text: what a text layer says, or what was recognised in pictures of its pages. */
export type RecognisedDocument = {
  pages: RecognisedPage[];
  /** How many pages the document has; those beyond the limit are not among `pages`. */
  pageCount: number;
  /** Whether the text of any page had to be recognised. */
  source: 'text-layer' | 'recognition';
};

/** What is kept of a document, and all of it as it came: as JSON of megabytes, which is parsed where nobody waits for it. */
export type ReadDocument = Pick<RecognisedDocument, 'pageCount' | 'source'> & {
  /** Of the pages, in as many characters as are kept. */
  texts: string[];
  json: Uint8Array<ArrayBuffer>;
};

export function parseDocument({ json }: Pick<ReadDocument, 'json'>): RecognisedDocument {
  return JSON.parse(new TextDecoder().decode(json));
}

export type RecognisedPage = {
  /** Of the straightened page, in the unit of the boxes. */
  width: number;
  height: number;
  words: Word[];
  /** Tick boxes, as far as they are seen in a picture. */
  tickBoxes: TickBox[];
  /** The words by lines, from top to bottom. */
  text: string;
  /** The picture that the page was straightened from, and the matrix from the page to it. */
  picture?: { width: number; height: number; fromPage: Matrix };
};

export type Word = {
  text: string;
  /** From 0 to 1; 1 of a text layer. */
  confidence: number;
  box: Box;
};

export type TickBox = { box: Box; isTicked: boolean };

/** From the top left corner. */
export type Box = { x: number; y: number; width: number; height: number };

/** A homography, row by row. */
export type Matrix = readonly [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

export type RecognitionLimits = {
  bytes: number;
  pages: number;
  /** Of a picture, or of one in a PDF, before it is decoded. */
  pixels: number;
  words: number;
  wordsOfPage: number;
  /** Characters of a word, and of the text of a page. */
  wordLength: number;
  textLength: number;
  /** Of processor time; of the clock, five times as many, as the machine may be busy. */
  seconds: number;
  /** Resident memory of the process that reads. */
  megabytes: number;
};

export const recognitionLimits: RecognitionLimits = {
  bytes: 50 * 1024 * 1024,
  pages: 10,
  pixels: 60_000_000,
  words: 10_000,
  wordsOfPage: 2_000,
  wordLength: 100,
  textLength: 100_000,
  seconds: 120,
  megabytes: 1_024,
};

/** Of all pages of a document together. */
export const keptTextLength = 100_000;

export const recognitionFailures = {
  'unsupported-type': 'It is neither a PDF nor a picture.',
  damaged: 'It cannot be decoded.',
  encrypted: 'The PDF is protected by a password.',
  'too-large': 'It has more bytes or pixels than are read.',
  timeout: 'Reading it took too long.',
  memory: 'Reading it took too much memory.',
  failed: 'The process that read it ended unexpectedly.',
} as const;

export type RecognitionFailure = keyof typeof recognitionFailures;

export class RecognitionError extends Error {
  override readonly name = 'RecognitionError';
  readonly reason: RecognitionFailure;

  constructor(reason: RecognitionFailure, options?: ErrorOptions) {
    super(recognitionFailures[reason], options);
    this.reason = reason;
  }
}
