import { ConnectionError, ProblemError } from './errors.ts';
import { isTransient, pause } from './retry.ts';

type ServerSentEvent = { id: string | undefined; data: string | undefined };

const longestPause = 30_000;
/** The service sends something every 15 seconds: after three of them the connection is lost. */
const silenceMs = 45_000;

/** Yields events from connection after connection: each goes on behind the last event that was received. */
export async function* resumingEvents<Item>(
  open: (lastEventId: string | undefined) => Promise<Response>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item, void, undefined> {
  let lastEventId: string | undefined;
  for (let failures = 0; ; failures++) {
    try {
      const response = await open(lastEventId);
      for await (const { id, data } of parseEvents(response.body)) {
        failures = 0;
        // Only what the caller has taken is behind it.
        if (data !== undefined) yield JSON.parse(data);
        lastEventId = id ?? lastEventId;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isLost(error)) throw error;
    }
    const bound = Math.min(longestPause, 500 * 2 ** failures);
    await pause(bound / 2 + (Math.random() * bound) / 2, signal);
  }
}

function isLost(error: unknown): boolean {
  if (error instanceof ProblemError) return isTransient(error.status);
  return error instanceof ConnectionError || error instanceof StreamLost;
}

class StreamLost extends Error {}

/** The events of a stream of server-sent events, as it arrives. */
async function* parseEvents(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, silenceMs);
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      for (const block of blocks) yield parseEvent(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, milliseconds: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StreamLost('the stream is silent')), milliseconds);
  });
  const read = reader.read().catch((cause) => {
    throw new StreamLost('the stream broke', { cause });
  });
  try {
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}

function parseEvent(block: string): ServerSentEvent {
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^(\w*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'id') id = value;
    if (field === 'data') data.push(value);
  }
  return { id, data: data.length > 0 ? data.join('\n') : undefined };
}
