import { join } from 'node:path';
import { startServer } from '../processes.ts';
import { overHttp, type Peer } from './peer.ts';

/** The limit of the runtime: node:http that answers constants of the service's sizes. */
export function plainHttpPeer(sizeOf: (scenario: string) => number): Peer {
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
      const http = overHttp(environment, [server.ready], async () => 'none');
      return {
        pids: [server.pid],
        run(scenario, ...pace) {
          const requests = scenario.requests(environment);
          const path = `/${sizeOf(scenario.name)}`;
          const constant = {
            ...scenario,
            requests: () => requests.map((one) => ({ ...one, path })),
          };
          return http.run(constant, ...pace);
        },
        stop: server.stop,
      };
    },
  };
}
