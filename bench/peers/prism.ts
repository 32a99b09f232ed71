import { join } from 'node:path';
import { root, startServer } from '../processes.ts';
import { install } from './install.ts';
import { overHttp, type Peer } from './peer.ts';

/** A mock server over our own OpenAPI document: what a contract alone gives. */
export const prismPeer: Peer = {
  name: 'Prism',
  note: 'a mock: validates the request against openapi.json and answers its example, one item a page',
  serves: () => true,
  async prepare() {
    await install('prism');
  },
  async start(bed) {
    const program = join(
      import.meta.dirname,
      'prism/node_modules/@stoplight/prism-cli/dist/index.js',
    );
    const args = ['mock', '--port', '0', '--host', '127.0.0.1', join(root, 'openapi.json')];
    const server = await startServer(
      [program, ...args],
      {},
      join(bed.logs, 'prism.log'),
      /listening on (http:\/\/\S+)/,
    );
    return {
      pids: [server.pid],
      ...overHttp(bed, [server.said], async () => 'any'),
      stop: server.stop,
    };
  },
};
