import { pipeline, type Readable, Transform } from 'node:stream';
import { longWork, type Pace } from '../pace.ts';

// Of the event loop and of the threads that read and write files.
const msOfSentMegabyte = 8;
const msOfReceivedMegabyte = 16;
const sliceBytes = 262_144;

/** What is awaited after each chunk, and at the end: where a tenant has had many bytes of late, others are served between slices. */
function byteCounter(tenant: string, msOfMegabyte: number, pace: Pace) {
  let unpaid = 0;
  const pay = () => {
    const ms = (unpaid / 1_048_576) * msOfMegabyte;
    unpaid = 0;
    return pace.begin(tenant, ms)();
  };
  return {
    /** Undefined within a slice. */
    count(bytes: number): Promise<void> | undefined {
      unpaid += bytes;
      return unpaid < sliceBytes ? undefined : pay();
    },
    end: pay,
  };
}

/** The same bytes, at the pace of the tenant that they are sent to. */
export function pacedBytes(bytes: Readable, tenant: string, pace: Pace = longWork): Readable {
  const counter = byteCounter(tenant, msOfSentMegabyte, pace);
  const paced = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const paid = counter.count(chunk.length);
      if (!paid) return done(null, chunk);
      paid.then(() => done(null, chunk), done);
    },
    flush(done) {
      counter.end().then(() => done(), done);
    },
  });
  // What ends one of them ends the other, too: a client that hangs up, a file that cannot be read.
  return pipeline(bytes, paced, () => {});
}

/** The same bytes, at the pace of the tenant that sends them. */
export async function* pacedUpload(
  chunks: AsyncIterable<Buffer>,
  tenant: string,
  pace: Pace = longWork,
): AsyncGenerator<Buffer> {
  const counter = byteCounter(tenant, msOfReceivedMegabyte, pace);
  for await (const chunk of chunks) {
    yield chunk;
    await counter.count(chunk.length);
  }
  await counter.end();
}
