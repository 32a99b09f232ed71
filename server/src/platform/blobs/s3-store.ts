import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import {
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import { type BlobStore, NoSuchBlob, requireKey } from './blob-store.ts';

export type S3Location = {
  bucket: string;
  prefix: string;
  /** An S3-compatible service; Amazon S3 when left out. */
  endpoint?: string | undefined;
  region?: string | undefined;
};

// The minimum of S3: an upload buffers one part while it sends another.
const partSizeBytes = 5 * 1024 * 1024;

export type S3Limits = {
  connectMs: number;
  /** From the begin of a request, which has at most one part of an upload, to the head of its response. */
  responseMs: number;
  /** How long the next bytes of a download may take. */
  idleMs: number;
  /** How long nothing is tried after several failures. */
  openMs: number;
};

const defaultLimits: S3Limits = {
  connectMs: 3_000,
  responseMs: 20_000,
  idleMs: 15_000,
  openMs: 10_000,
};
const consecutiveFailures = 5;

/** Blobs as objects of a bucket, with the credentials that the AWS SDK finds. */
export function s3Store(
  { bucket, prefix, endpoint, region }: S3Location,
  limits: S3Limits = defaultLimits,
): BlobStore {
  const client = new S3Client({
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && {
      endpoint,
      forcePathStyle: true,
      // Most compatible services ignore the region, but the SDK requires one.
      region: region ?? 'us-east-1',
    }),
    // Not every compatible service supports the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: limits.connectMs,
      requestTimeout: limits.responseMs,
      throwOnRequestTimeout: true,
      // Of a download, that is how long a client may pause.
      socketTimeout: 300_000,
      // A slow download occupies a connection.
      httpAgent: { maxSockets: 500 },
      httpsAgent: { maxSockets: 500 },
    },
  });
  breakCircuit(client, limits.openMs);
  const addressOf = (key: string) => {
    requireKey(key);
    return { Bucket: bucket, Key: prefix === '' ? key : `${prefix}/${key}` };
  };

  const getObject = async (key: string, Range?: string) => {
    const { Body, ContentLength: size = 0 } = await client
      .send(new GetObjectCommand({ ...addressOf(key), Range }))
      .catch((error: Error) => {
        throw error.name === 'NoSuchKey' ? new NoSuchBlob(key) : error;
      });
    return { body: Body as Readable, size };
  };
  const readable = (body: Readable) => {
    const bytes = Readable.from(limitIdle(body, limits.idleMs), { objectMode: false });
    // A generator that was not begun ends nothing: what nobody reads would keep its connection.
    return bytes.once('close', () => body.destroy());
  };

  return {
    async put(key, bytes) {
      let size = 0;
      async function* countBytes() {
        for await (const chunk of bytes) {
          size += chunk.length;
          yield chunk;
        }
      }
      const upload = new Upload({
        client,
        params: { ...addressOf(key), Body: Readable.from(countBytes()) },
        partSize: partSizeBytes,
        queueSize: 1,
      });
      try {
        await upload.done();
        return size;
      } catch (error) {
        const cause = bytes.errored ?? error;
        bytes.destroy();
        throw cause;
      }
    },
    async get(key, range) {
      const wanted = range && `bytes=${range.first}-${range.last}`;
      const { body, size } = await getObject(key, wanted);
      // Some compatible services ignore the range.
      if (range && size !== range.last - range.first + 1) {
        body.destroy();
        throw new Error(`the S3 answered ${size} bytes to a request for ${wanted}`);
      }
      return readable(body);
    },
    async getWhole(key) {
      const { body, size } = await getObject(key);
      return { size, bytes: readable(body) };
    },
    async delete(key) {
      const address = addressOf(key);
      await abortUploads(client, address);
      await client.send(new DeleteObjectCommand(address));
    },
  };
}

/** After several failures in a row, requests fail at once for some time, so that nobody waits for what hangs. */
function breakCircuit(client: S3Client, openMs: number): void {
  const breaker: CircuitBreakerPolicy = circuitBreaker(handleWhen(isOutage), {
    halfOpenAfter: openMs,
    breaker: new ConsecutiveBreaker(consecutiveFailures),
  });
  const send = client.send.bind(client) as (...args: unknown[]) => Promise<unknown>;
  client.send = ((...args: unknown[]) =>
    breaker.execute(() => send(...args))) as unknown as typeof client.send;
}

/** Refusals, such as of an unknown key, show that the S3 works. */
function isOutage(error: unknown): boolean {
  const { httpStatusCode = 500 } =
    (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
  return httpStatusCode >= 500;
}

/** Only the time in which the reader waits counts: one that reads slowly is not cut. */
async function* limitIdle(bytes: Readable, idleMs: number): AsyncGenerator<Buffer> {
  const fail = () => bytes.destroy(new Error(`the S3 has sent nothing for ${idleMs} ms`));
  let timer = setTimeout(fail, idleMs);
  try {
    for await (const chunk of bytes) {
      clearTimeout(timer);
      yield chunk;
      timer = setTimeout(fail, idleMs);
    }
  } finally {
    clearTimeout(timer);
  }
}

type Address = { Bucket: string; Key: string };

/** A killed process leaves uploaded parts, which are billed although no object listing shows them. */
async function abortUploads(client: S3Client, { Bucket, Key }: Address): Promise<void> {
  const uploads = await listUploads(client, { Bucket, Key });
  for (const { UploadId } of uploads.filter((upload) => upload.Key === Key)) {
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  }
}

async function listUploads(client: S3Client, { Bucket, Key }: Address) {
  try {
    const { Uploads = [] } = await client.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix: Key }),
    );
    return Uploads;
  } catch (error) {
    // A lifecycle rule of the bucket has to remove them then; the object can still be deleted.
    if (['NotImplemented', 'AccessDenied'].includes((error as Error).name)) return [];
    throw error;
  }
}
