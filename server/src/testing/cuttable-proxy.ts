import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';

export type CuttableProxy = {
  connection: pg.ClientConfig;
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Stops forwarding on open connections without closing them. */
  stall(): void;
  /** Stalls, and forwards nothing on new connections either, as a frozen server. */
  freeze(): void;
};

/** A TCP proxy whose connections a test can cut or stall. */
export async function cuttableProxy(target: pg.ClientConfig): Promise<CuttableProxy> {
  const { host = '', port: targetPort = 5432 } = target;
  const sockets = new Set<Socket>();
  let port = 0;
  let frozen = false;
  const server = createServer((incoming) => {
    const outgoing = host.startsWith('/')
      ? connect(join(host, `.s.PGSQL.${targetPort}`))
      : connect(targetPort, host);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    if (!frozen) incoming.pipe(outgoing).pipe(incoming);
  });
  const restore = () =>
    new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', () => {
        const address = server.address();
        if (typeof address === 'object' && address) port = address.port;
        resolve();
      });
    });
  await restore();
  const stall = () => {
    for (const socket of sockets) socket.unpipe();
  };
  return {
    connection: { ...target, host: '127.0.0.1', port },
    restore,
    stall,
    freeze() {
      frozen = true;
      stall();
    },
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
