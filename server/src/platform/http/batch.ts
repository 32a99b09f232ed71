import type { Clock } from '../time/clock.ts';
import { readJsonText, textIssues } from './json-body.ts';
import type { Message, Operation } from './operation.ts';
import { invalidBody, Problem, type ValidationIssue } from './problem.ts';
import { partReader } from './request-part.ts';

/** A message a line. The types go by several names; all mean the same. */
export const jsonLinesTypes = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];

type Batch = NonNullable<Operation<never>['batch']>;
type MessageReader = ReturnType<typeof partReader>;

// Ten thousand messages may all be wrong: the answer has to stay small.
const maxIssues = 5;

/** Reads the messages of a batch; what is wrong with one does not touch the others. */
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
  const { text, value } = readJsonText(body, 'The body');
  if (!Array.isArray(value)) {
    throw invalidBody([{ pointer: '', detail: 'The body must be an array of messages.' }]);
  }
  // Before any is judged: a body of the greatest size can hold millions.
  if (value.length > maxMessages) throw tooMany(maxMessages);
  const escaped = text.includes('\\u');
  return value.map((one) => judged(one, escaped, readMessage));
}

function readLines(body: Buffer, readMessage: MessageReader, maxMessages: number): Message[] {
  const messages: Message[] = [];
  for (let start = 0; start < body.length; ) {
    const end = body.indexOf(0x0a, start);
    const line = body.subarray(start, end === -1 ? body.length : end);
    start += line.length + 1;
    if (!line.every(isBlank)) {
      if (messages.length === maxMessages) throw tooMany(maxMessages);
      messages.push(readLine(line, readMessage));
    }
  }
  return messages;
}

function readLine(line: Uint8Array, readMessage: MessageReader): Message {
  try {
    const { text, value } = readJsonText(line, 'The line');
    return judged(value, text.includes('\\u'), readMessage);
  } catch (error) {
    if (error instanceof Problem) return { value: undefined, issues: error.errors ?? [] };
    throw error;
  }
}

function judged(value: unknown, escaped: boolean, readMessage: MessageReader): Message {
  const unstorable = escaped ? textIssues(value, true) : [];
  if (unstorable.length > 0) return { value, issues: unstorable.map(ofMessage) };
  const read = readMessage(value);
  return 'issues' in read
    ? { value, issues: read.issues.map(ofMessage) }
    : { value: read.value, issues: [] };
}

function ofMessage({ pointer, detail }: ValidationIssue): ValidationIssue {
  return { pointer, detail: detail.replace('The body', 'The message') };
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

function tooMany(maxMessages: number): Problem {
  const detail = `The body must have at most ${maxMessages} messages.`;
  return invalidBody([{ pointer: '', detail }]);
}
