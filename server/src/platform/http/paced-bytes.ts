import { pipeline, type Readable, Transform } from 'node:stream';
import { longWork, type Pace } from '../pace.ts';

// Of the event loop and of the threads that read files.
const msOfMegabyte = 8;
const sliceBytes = 262_144;

/** The same bytes: those of a tenant that has been sent many of late wait between slices, so that others are served. */
export function pacedBytes(bytes: Readable, tenant: string, pace: Pace = longWork): Readable {
  let unpaid = 0;
  const pay = async () => {
    const ms = (unpaid / 1_048_576) * msOfMegabyte;
    unpaid = 0;
    await pace.begin(tenant, ms)();
  };
  const paced = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unpaid += chunk.length;
      if (unpaid < sliceBytes) return done(null, chunk);
      pay().then(() => done(null, chunk), done);
    },
    flush(done) {
      pay().then(() => done(), done);
    },
  });
  // What ends one of them ends the other, too: a client that hangs up, a file that cannot be read.
  return pipeline(bytes, paced, () => {});
}
