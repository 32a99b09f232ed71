import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import S3rver from '@20minutes/s3rver';

export type TestS3 = {
  endpoint: string;
  bucket: string;
  /** The environment variables of the AWS SDK. */
  credentials: Record<string, string>;
  /** The keys of all objects, and of all uploads that were neither completed nor aborted. */
  objects(): Promise<string[]>;
  unfinished(): Promise<string[]>;
  /** How many are open. */
  connections(): Promise<number>;
  /** Lets requests wait until `resume`. */
  hang(): void;
  resume(): void;
  stop(): Promise<void>;
};

const bucket = 'motorpool-test';
const objectSuffix = '._S3rver_object';

/** An S3 on a port of its own: signatures are verified, and objects are files. */
export async function startS3(): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), 'motorpool-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  });
  const uploadsFolder = join(directory, bucket, '._S3rver_uploads');
  const uploads = async () => {
    const ids = await readdir(uploadsFolder).catch(() => []);
    return Promise.all(
      ids.map(async (id) => ({ id, key: await readFile(join(uploadsFolder, id, 'key'), 'utf8') })),
    );
  };

  let hanging: PromiseWithResolvers<void> | undefined;
  // The library does not implement these two requests.
  server.middleware.unshift(async (context, next) => {
    await hanging?.promise;
    const { method, path, query } = context;
    if (method === 'DELETE' && query.uploadId !== undefined) {
      await rm(join(uploadsFolder, query.uploadId), { recursive: true, force: true });
      context.status = 204;
    } else if (method === 'GET' && path.replace(/\/$/, '') === `/${bucket}` && 'uploads' in query) {
      const found = (await uploads()).filter(({ key }) => key.startsWith(query.prefix ?? ''));
      context.type = 'application/xml';
      context.body = `<ListMultipartUploadsResult>${found
        .map(({ id, key }) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`)
        .join('')}</ListMultipartUploadsResult>`;
    } else {
      await next();
    }
  });

  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    credentials: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
    async objects() {
      const names = await readdir(join(directory, bucket), { recursive: true });
      return names
        .filter((name) => name.endsWith(objectSuffix))
        .map((name) => name.slice(0, -objectSuffix.length));
    },
    unfinished: async () => (await uploads()).map(({ key }) => key),
    connections: () => promisify(server.httpServer.getConnections.bind(server.httpServer))(),
    hang() {
      hanging = Promise.withResolvers();
    },
    resume() {
      hanging?.resolve();
      hanging = undefined;
    },
    async stop() {
      hanging?.resolve();
      const closed = server.close();
      server.httpServer.closeAllConnections();
      await closed;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
