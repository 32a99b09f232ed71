import type { Readable } from 'node:stream';

/** Counts the bytes that a stream yields. Not by its data: with a listener it would flow without a reader. */
export function countPushed(stream: Readable, count: (bytes: number) => void): void {
  const push = stream.push.bind(stream);
  stream.push = (chunk: Buffer | null) => {
    count(chunk?.length ?? 0);
    return push(chunk);
  };
}
