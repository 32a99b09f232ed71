import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../time/clock.ts';
import { createTurns } from '../turns.ts';
import { decode, excessOf, parseJson } from './json-body.ts';
import { isBlank, scanValue, skipBlanks } from './json-scan.ts';
import type { Message, Operation } from './operation.ts';
import { invalidBody, Problem, plainProblem, type ValidationIssue } from './problem.ts';
import { partReader } from './request-part.ts';

/** One message per line; the format has several media types. */
export const jsonLinesTypes = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];

/** Of one message, which bounds its properties as well. */
export const maxMessageBytes = 16_384;

type Batch = NonNullable<Operation<never>['batch']>;
type MessageReader = ReturnType<typeof partReader>;

// Per message: of a large batch, all may be invalid.
const fewIssues = { maxIssues: 5, suggestsNames: false };
// Of all messages together; of those after it, the first of each is looked for.
const maxIssuesOfBatch = 1_000;
const firstIssue = { maxIssues: 1, suggestsNames: false };
// What a smaller message has is little, whatever it is.
const fewBytes = 256;
const fewEscapes = 100;

// Other requests are served between slices (docs/decisions/0028-bounds.md).
const sliceBytes = 65_536;
const costOfMessage = 512;

/** Parses the messages of batches, in slices; each is validated on its own. */
export function batchReader({ maxMessages, ...part }: Batch, clock: Clock, pause = yieldToOthers) {
  const [readMessage, readAfterMany] = [fewIssues, firstIssue].map((options) =>
    partReader(part, clock, options),
  ) as [MessageReader, MessageReader];
  // Since the last pause, of all batches: many small ones may be read one after the other.
  let cost = 0;
  const endSlice = async () => {
    cost = 0;
    await pause();
  };
  return async (contentType: string | undefined, body: unknown): Promise<Message[]> => {
    if (!(body instanceof Buffer) || body.length === 0) {
      throw invalidBody([
        { pointer: '', detail: 'A body is required: an array, or a message a line.' },
      ]);
    }
    if (cost > sliceBytes) await endSlice();
    // It may be refused before any message is read.
    cost += body.length;
    const isLines = jsonLinesTypes.some((type) => contentType?.toLowerCase().startsWith(type));
    // Before any is parsed: a body of the maximum size can hold millions.
    const sent = (isLines ? splitLines : splitArray)(body, maxMessages);
    const read = isLines ? readLine : readElement;
    const messages: Message[] = [];
    let issues = 0;
    for (const bytes of sent) {
      if (cost > sliceBytes) await endSlice();
      cost += costOfMessage + bytes.length;
      const scanned = bytes.length > fewBytes ? scanValue(bytes) : undefined;
      const excess = scanned && bytes.length <= maxMessageBytes ? excessOf(scanned) : undefined;
      const isCostly = issues > maxIssuesOfBatch || (scanned?.escapes ?? 0) > fewEscapes;
      const message =
        excess === undefined
          ? read(bytes, isCostly ? readAfterMany : readMessage)
          : { value: undefined, issues: [{ pointer: '', detail: `The message ${excess}.` }] };
      if (issues > maxIssuesOfBatch) message.issues = message.issues.slice(0, 1);
      issues += message.issues.length;
      messages.push(message);
    }
    return messages;
  };
}

export type SentBatch = {
  provider: string;
  contentType: string | undefined;
  body: unknown;
  /** Whether nobody waits for the answer any more. */
  isAbandoned(): boolean;
};

/** Batches of a provider one after the other: slices of many would make each turn of the event loop a long one. */
export function readInTurn(read: ReturnType<typeof batchReader>) {
  // Many short ones that waited for a long one are not read in the turn of its last slice.
  const inTurn = createTurns(yieldToOthers);
  return ({ provider, contentType, body, isAbandoned }: SentBatch): Promise<Message[]> =>
    inTurn(provider, async () => {
      if (isAbandoned()) throw abandoned();
      return read(contentType, body);
    });
}

export function abandoned(): Problem {
  return plainProblem(408, 'The connection was closed before all was read.');
}

async function yieldToOthers(): Promise<void> {
  await setImmediate();
}

function splitArray(body: Buffer, maxMessages: number): Buffer[] {
  const begin = skipBlanks(body, startOf(body));
  if (body[begin] !== 0x5b) {
    throw invalidBody([{ pointer: '', detail: 'The body must be an array of messages.' }]);
  }
  const elements: Buffer[] = [];
  let at = begin;
  do {
    if (elements.length > maxMessages) throw tooManyMessages(maxMessages);
    const { end } = scanValue(body, at + 1);
    elements.push(body.subarray(at + 1, end));
    at = end;
  } while (body[at] === 0x2c);
  if (body[at] !== 0x5d || skipBlanks(body, at + 1) < body.length) {
    throw invalidBody([
      { pointer: '', detail: 'The body is not valid JSON: it must be one array.' },
    ]);
  }
  const [first] = elements;
  if (elements.length === 1 && first?.every(isBlank)) return [];
  if (elements.length > maxMessages) throw tooManyMessages(maxMessages);
  return elements;
}

/** Skips a byte order mark. */
function startOf(body: Buffer): number {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
}

function splitLines(body: Buffer, maxMessages: number): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = skipBlanks(body, 0); start < body.length; ) {
    if (lines.length === maxMessages) throw tooManyMessages(maxMessages);
    const newline = body.indexOf(0x0a, start);
    const end = newline === -1 ? body.length : newline;
    lines.push(body.subarray(start, end));
    start = skipBlanks(body, end);
  }
  return lines;
}

type ReadMessage = { value: unknown; issues: ValidationIssue[] };

/** An element that is no JSON makes the whole array none. */
function readElement(bytes: Buffer, readMessage: MessageReader): ReadMessage {
  if (bytes.length > maxMessageBytes) return tooLarge;
  return toMessage(parseJson(decode(bytes, 'The body'), 'The body'), readMessage);
}

function readLine(bytes: Buffer, readMessage: MessageReader): ReadMessage {
  if (bytes.length > maxMessageBytes) return tooLarge;
  return toMessage(parseLine(bytes), readMessage);
}

function parseLine(bytes: Buffer): ReadMessage {
  // Nobody sees the stacks, and they take most of the time of a line that is no JSON.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return parseJson(decode(bytes, 'The line'), 'The line');
  } catch (error) {
    if (error instanceof Problem) return { value: undefined, issues: error.errors ?? [] };
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const tooLarge = {
  value: undefined,
  issues: [{ pointer: '', detail: `The message must have at most ${maxMessageBytes} bytes.` }],
};

function toMessage({ value, issues }: ReadMessage, readMessage: MessageReader): ReadMessage {
  if (issues.length > 0) return { value, issues: issues.map(toMessageIssue) };
  const read = readMessage(value);
  return 'issues' in read
    ? { value, issues: read.issues.map(toMessageIssue) }
    : { value: read.value, issues: [] };
}

function toMessageIssue({ pointer, detail }: ValidationIssue): ValidationIssue {
  return { pointer, detail: detail.replace('The body', 'The message') };
}

function tooManyMessages(maxMessages: number): Problem {
  const detail = `The body must have at most ${maxMessages} messages.`;
  return invalidBody([{ pointer: '', detail }]);
}
