import type { Clock } from '../time/clock.ts';
import { jsonIssues, parseJson } from './json-body.ts';
import type { Message, Operation } from './operation.ts';
import { invalidBody, Problem, type ValidationIssue } from './problem.ts';
import { partReader } from './request-part.ts';

/** One message per line; the format has several media types. */
export const jsonLinesTypes = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];

type Batch = NonNullable<Operation<never>['batch']>;
type MessageReader = ReturnType<typeof partReader>;

// Per message: of a large batch, all may be invalid.
const maxIssues = 5;

/** Parses the messages of a batch; each is validated on its own. */
export function batchReader({ maxMessages, ...part }: Batch, clock: Clock) {
  const readMessage = partReader(part, clock, maxIssues);
  return (contentType: string | undefined, body: unknown): Message[] => {
    if (!(body instanceof Buffer) || body.length === 0) {
      throw invalidBody([
        { pointer: '', detail: 'A body is required: an array, or a message a line.' },
      ]);
    }
    const isLines = jsonLinesTypes.some((type) => contentType?.toLowerCase().startsWith(type));
    return (isLines ? readLines : readArray)(body, readMessage, maxMessages);
  };
}

function readArray(body: Buffer, readMessage: MessageReader, maxMessages: number): Message[] {
  const { text, value } = parseJson(body, 'The body');
  if (!Array.isArray(value)) {
    throw invalidBody([{ pointer: '', detail: 'The body must be an array of messages.' }]);
  }
  // Before validation: a body of the maximum size can hold millions.
  if (value.length > maxMessages) throw tooManyMessages(maxMessages);
  const escaped = text.includes('\\u');
  return value.map((one) => toMessage(one, escaped, readMessage));
}

function readLines(body: Buffer, readMessage: MessageReader, maxMessages: number): Message[] {
  const messages: Message[] = [];
  for (let start = 0; start < body.length; ) {
    const end = body.indexOf(0x0a, start);
    const line = body.subarray(start, end === -1 ? body.length : end);
    start += line.length + 1;
    if (!line.every(isBlank)) {
      if (messages.length === maxMessages) throw tooManyMessages(maxMessages);
      messages.push(readLine(line, readMessage));
    }
  }
  return messages;
}

function readLine(line: Uint8Array, readMessage: MessageReader): Message {
  try {
    const { text, value } = parseJson(line, 'The line');
    return toMessage(value, text.includes('\\u'), readMessage);
  } catch (error) {
    if (error instanceof Problem) return { value: undefined, issues: error.errors ?? [] };
    throw error;
  }
}

function toMessage(value: unknown, escaped: boolean, readMessage: MessageReader): Message {
  const unstorable = escaped ? jsonIssues(value, true) : [];
  if (unstorable.length > 0) return { value, issues: unstorable.map(toMessageIssue) };
  const read = readMessage(value);
  return 'issues' in read
    ? { value, issues: read.issues.map(toMessageIssue) }
    : { value: read.value, issues: [] };
}

function toMessageIssue({ pointer, detail }: ValidationIssue): ValidationIssue {
  return { pointer, detail: detail.replace('The body', 'The message') };
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

function tooManyMessages(maxMessages: number): Problem {
  const detail = `The body must have at most ${maxMessages} messages.`;
  return invalidBody([{ pointer: '', detail }]);
}
