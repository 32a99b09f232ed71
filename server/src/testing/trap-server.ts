import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export type TrapServer = {
  url: string;
  /** The paths that were requested, in order. */
  requested: string[];
  stop(): Promise<void>;
};

/** A server on loopback that records who calls it; by default it answers nothing of use. */
export async function startTrapServer(
  answer: RequestListener = (_, response) => void response.end(),
): Promise<TrapServer> {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested,
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}
