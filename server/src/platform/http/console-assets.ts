import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { chooseCoding } from './compression.ts';
import { noSuchPath } from './problem.ts';
import { type KeptDocument, keptDocument, sendDocument } from './send-document.ts';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Their names have a hash of their content. */
const forEver = 'public, max-age=31536000, immutable';

/** The endings that the build gives to compressed files, by preference. */
const endings: Record<string, string> = { br: '.br', gzip: '.gz' };

/** Serves the files of the build from memory: each is read once in each coding. */
export function registerConsoleAssets(
  app: FastifyInstance,
  root: string,
  mapOrigin: string | undefined,
): void {
  const codingsByName = listAssets(root);
  const read = keepDocuments(root);
  const workerPolicy = policyOfWorkers(mapOrigin);
  app.get<{ Params: { '*': string } }>('/console/assets/*', async (request, reply) => {
    const name = request.params['*'];
    const codings = codingsByName.get(name);
    if (!codings) throw noSuchPath();
    const coding = chooseCoding(request.headers['accept-encoding'] ?? '', codings);
    const type = types[extname(name)] ?? 'application/octet-stream';
    const asset = await read(name + (coding ? endings[coding] : ''), type);
    if (codings.length > 0) reply.header('vary', 'Accept-Encoding');
    if (coding) reply.header('content-encoding', coding);
    if (name.includes('-worker-')) reply.header('content-security-policy', workerPolicy);
    return sendDocument(request, reply, asset, forEver);
  });
}

/** The codings of each file by its name. */
function listAssets(root: string): Map<string, string[]> {
  const files = new Set(readdirSync(root));
  const codingsOf = (name: string) =>
    Object.keys(endings).filter((coding) => files.has(name + endings[coding]));
  const names = [...files].filter((file) => !/\.(br|gz)$/.test(file));
  return new Map(names.map((name) => [name, codingsOf(name)]));
}

/** Reads each file of a folder once, unless that fails. */
function keepDocuments(root: string) {
  const kept = new Map<string, Promise<KeptDocument>>();
  const start = (file: string, type: string) => {
    const document = readFile(join(root, file)).then((bytes) => keptDocument(type, bytes));
    kept.set(file, document);
    document.catch(() => kept.delete(file));
    return document;
  };
  return (file: string, type: string) => kept.get(file) ?? start(file, type);
}

/** A worker obeys the policy of its own script. */
function policyOfWorkers(mapOrigin: string | undefined): string {
  const allowed = ["'self'", mapOrigin].filter(Boolean).join(' ');
  return `default-src 'none'; connect-src ${allowed}; frame-ancestors 'none'`;
}
