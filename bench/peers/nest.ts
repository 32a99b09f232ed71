import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withDatabase } from '../database.ts';
import { startServer } from '../processes.ts';
import { install } from './install.ts';
import { overHttp, type Peer } from './peer.ts';

const folder = join(import.meta.dirname, 'nest');

/** An implementation with a common framework and object-relational mapper. */
export const nestPeer: Peer = {
  name: 'NestJS + TypeORM',
  note: 'Fastify adapter, class-validator, RS256 tokens verified by jose; telemetry without times of single signals, charging sessions and plans',
  // It has no authorization server.
  serves: ({ name }) => name !== 'token request',
  async prepare({ connection }) {
    await install('nest', 'build');
    const schema = await readFile(join(folder, 'schema.sql'), 'utf8');
    await withDatabase(connection, (db) => db.rawQuery(schema));
  },
  async start(environment) {
    const server = await startServer(
      [join(folder, 'dist/main.js')],
      {
        DATABASE: JSON.stringify(environment.connection),
        PROVIDER: environment.accesses[0]?.provider.id ?? '',
        NODE_ENV: 'production',
      },
      join(environment.logs, 'nest.log'),
      /^ready (.+)$/m,
    );
    const { url, token } = JSON.parse(server.ready);
    return {
      pids: [server.pid],
      ...overHttp(environment, [url], async () => token),
      stop: server.stop,
    };
  },
};
