import { join } from 'node:path';
import { startServer } from '../processes.ts';
import { overHttp, type Peer } from './peer.ts';

/** The limit of the runtime: a baseline node:http that answers constants of the service's sizes. */
export function plainHttpPeer(sizeOf: (line: string) => number): Peer {
  return {
    name: 'plain node:http',
    note: 'reads the body and answers a constant of the same size: no token, no validation, no data',
    serves: () => true,
    async start(environment) {
      const program = join(import.meta.dirname, 'plain-http-server.ts');
      const server = await startServer(
        [program],
        {},
        join(environment.logs, 'plain-http.log'),
        /(\S+)/,
      );
      const http = overHttp(environment, [server.said], async () => 'none');
      return {
        pids: [server.pid],
        run(line, ...pace) {
          const requests = line.requests(environment);
          const path = `/${sizeOf(line.name)}`;
          const constant = { ...line, requests: () => requests.map((one) => ({ ...one, path })) };
          return http.run(constant, ...pace);
        },
        stop: server.stop,
      };
    },
  };
}
