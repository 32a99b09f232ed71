import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { includesEtag } from './etag.ts';
import { noSuchPath } from './problem.ts';

/** A file that anyone may load and keep for ever: its path names its content. */
export type PublicFile = {
  folder: string;
  name: string;
  extension: string;
  contentType: string;
  content: Buffer;
  hash: string;
  path: string;
};

export function publicFile(
  folder: string,
  file: string,
  contentType: string,
  text: string,
): PublicFile {
  const content = Buffer.from(text);
  const [name = '', extension = ''] = file.split('.');
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const path = `/${folder}/${name}-${hash}.${extension}`;
  return { folder, name, extension, contentType, content, hash, path };
}

/** Of a file by its path, with the hash of any release. */
export const publicFilePath = /^\/([a-z-]+)\/([a-z-]+)-[0-9a-f]{12}\.([a-z]+)$/;

/** Serves public files to any page of any site; a path of an earlier release leads to the present one. */
export function registerPublicFiles(app: FastifyInstance, files: readonly PublicFile[]): void {
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (const folder of new Set(files.map((file) => file.folder))) {
    app.get(`/${folder}/:file`, async (request, reply) => {
      const path = request.originalUrl.split('?', 1)[0] ?? '';
      const file = byPath.get(path);
      if (!file) {
        const present = presentFile(files, path);
        if (!present) throw noSuchPath();
        return reply
          .code(307)
          .headers({ location: present.path, 'cache-control': 'no-cache' })
          .send();
      }
      const etag = `"${file.hash}"`;
      reply.headers({ ...headers, etag });
      if (includesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type(file.contentType).send(file.content);
    });
  }
}

const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  // An SVG that is opened on its own must run nothing.
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
};

function presentFile(files: readonly PublicFile[], path: string): PublicFile | undefined {
  const [, folder, name, extension] = publicFilePath.exec(path) ?? [];
  return files.find(
    (file) => file.folder === folder && file.name === name && file.extension === extension,
  );
}
