import { Readable } from 'node:stream';
import type { StreamGroup } from './stream-group.ts';

/** A response of server-sent events, which somebody else writes. */
export type EventStream = {
  readable: Readable;
  /** Appends a chunk; false when the client reads too slowly, and the stream has been closed. */
  send(chunk: Buffer): boolean;
  end(): void;
};

/** What may wait for a slow client, beyond one chunk of any size. */
const maxWaitingBytes = 1_048_576;
/** For what waits when a stream ends. */
const lingerMs = 10_000;

export function createEventStream(group: StreamGroup, onClose: () => void): EventStream {
  const readable = new Readable({ read() {}, highWaterMark: maxWaitingBytes });
  group.add(readable);
  readable.once('close', () => {
    group.remove(readable);
    onClose();
  });
  let isEnding = false;
  return {
    readable,
    send(chunk) {
      if (readable.destroyed || readable.readableEnded || isEnding) return false;
      if (readable.readableLength > maxWaitingBytes) {
        // The client resumes where it has read to, at its own speed.
        readable.destroy();
        return false;
      }
      readable.push(chunk);
      group.sent(chunk.length);
      return !readable.destroyed;
    },
    end() {
      if (readable.destroyed || isEnding) return;
      isEnding = true;
      readable.push(null);
      // A client that does not read would keep it open for good.
      const timer = setTimeout(() => readable.destroy(), lingerMs).unref();
      readable.once('close', () => clearTimeout(timer));
    },
  };
}

/** One event; without data, it only moves the id that a client resumes from. */
export function eventChunk(event: { id?: string; type?: string; data?: string; comment?: string }) {
  const lines = [
    ...(event.comment === undefined ? [] : [`: ${event.comment}`]),
    ...(event.id === undefined ? [] : [`id: ${event.id}`]),
    ...(event.type === undefined ? [] : [`event: ${event.type}`]),
    ...(event.data === undefined ? [] : [`data: ${event.data}`]),
  ];
  return Buffer.from(`${lines.join('\n')}\n\n`);
}
