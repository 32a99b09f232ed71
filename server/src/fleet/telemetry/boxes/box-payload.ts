import { batchReader, maxMessageBytes } from '../../../platform/http/batch.ts';
import { skipBlanks } from '../../../platform/http/json-scan.ts';
import type { Message } from '../../../platform/http/operation.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { type DataboxMessage, DataboxMessageSchema, signalIssues } from '../message.ts';

export const maxPayloadBytes = 1_048_576;
export const maxMessages = 10_000;

/** Reads the messages of a payload: one, an array of them, or one a line. Their serial is that of the topic. */
export function boxPayloadReader(clock: Clock) {
  const read = batchReader(
    {
      schema: DataboxMessageSchema,
      rules: signalIssues,
      maxMessages,
      maxBytes: maxPayloadBytes,
      example: [],
    },
    clock,
  );
  return async (payload: Buffer, serial: string): Promise<Message[]> => {
    const messages = await (isObject(payload)
      ? read('application/json', Buffer.concat([arrayStart, payload, arrayEnd]))
      : read(isArray(payload) ? 'application/json' : 'application/x-ndjson', payload));
    return messages.map((message) => withSerial(message, serial));
  };
}

const [arrayStart, arrayEnd] = [Buffer.from('['), Buffer.from(']')];

function isArray(payload: Buffer): boolean {
  return payload[skipBlanks(payload, 0)] === 0x5b;
}

/** Whether it is one object, which may have line breaks. What is larger than a message is not parsed to find out. */
function isObject(payload: Buffer): boolean {
  if (payload.length > maxMessageBytes) return false;
  try {
    return !isArray(payload) && typeof JSON.parse(payload.toString('utf8')) === 'object';
  } catch {
    return false;
  }
}

function withSerial({ value, issues }: Message, serial: string): Message {
  if (issues.length > 0) return { value, issues };
  const message = value as DataboxMessage;
  if (message.serial === undefined || message.serial === serial) {
    return { value: { ...message, serial }, issues };
  }
  const detail = `The serial must be that of the topic, ${serial}, or left out.`;
  return { value, issues: [{ pointer: '/serial', detail }] };
}
