import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../environment.ts';
import { root, startServer } from '../processes.ts';
import { install } from './install.ts';
import { overHttp, type Peer } from './peer.ts';

/** A mock server of our OpenAPI document. */
export const prismPeer: Peer = {
  name: 'Prism',
  note: 'a mock: validates the request against openapi.json and answers its example, with as many items as our page has',
  serves: () => true,
  async prepare(environment) {
    await install('prism');
    await writeDocument(environment);
  },
  async start(environment) {
    const program = join(
      import.meta.dirname,
      'prism/node_modules/@stoplight/prism-cli/dist/index.js',
    );
    const args = ['mock', '--port', '0', '--host', '127.0.0.1', documentOf(environment)];
    const server = await startServer(
      [program, ...args],
      {},
      join(environment.logs, 'prism.log'),
      /listening on (http:\/\/\S+)/,
    );
    return {
      pids: [server.pid],
      ...overHttp(environment, [server.ready], async () => 'any', preferOf),
      stop: server.stop,
    };
  },
};

const pageSizes = [25, 100];

/** Selects the example of the length of the page. */
function preferOf(body: string | undefined): Record<string, string> {
  const pageSize = /"pageSize":(\d+)/.exec(body ?? '')?.[1];
  return pageSize === undefined ? {} : { prefer: `example=page${pageSize}` };
}

function documentOf({ logs }: Environment): string {
  return join(logs, '../openapi.json');
}

/** Our document, with examples of the lengths of the requested pages. */
async function writeDocument(environment: Environment): Promise<void> {
  const document = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8'));
  for (const path of Object.values(document.paths) as Record<string, Operation>[]) {
    for (const { responses } of Object.values(path)) {
      const content = responses?.['200']?.content?.['application/json'];
      const [item] = Array.isArray(content?.example?.items) ? content.example.items : [];
      if (!content || item === undefined) continue;
      const { example, ...rest } = content;
      const examples = pageSizes.map((pageSize) => [
        `page${pageSize}`,
        { value: { ...example, items: Array(pageSize).fill(item) } },
      ]);
      Object.assign(responses?.['200']?.content ?? {}, {
        'application/json': { ...rest, examples: Object.fromEntries(examples) },
      });
    }
  }
  await writeFile(documentOf(environment), JSON.stringify(document));
}

type Operation = {
  responses?: Record<
    string,
    { content?: Record<string, { example?: { items?: unknown[] } }> } | undefined
  >;
};
