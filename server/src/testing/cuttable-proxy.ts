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
  /** Forwards what the service sends, and nothing of what the server answers. */
  muteServer(): void;
  /** Ends what `freeze` and `muteServer` began, also on connections that are still open. */
  thaw(): void;
  /** Delays each direction of new connections. */
  delay(ms: number): void;
};

type Link = { incoming: Socket; outgoing: Socket };

/** A TCP proxy whose connections a test can cut, stall or delay. */
export async function cuttableProxy(target: pg.ClientConfig): Promise<CuttableProxy> {
  const { host = '', port: targetPort = 5432 } = target;
  const links = new Set<Link>();
  let port = 0;
  let state: 'open' | 'frozen' | 'muted' = 'open';
  let delayMs = 0;
  const forward = ({ incoming, outgoing }: Link) => {
    if (delayMs > 0) {
      pipeDelayed(incoming, outgoing, delayMs);
      pipeDelayed(outgoing, incoming, delayMs);
      return;
    }
    if (state !== 'frozen') incoming.pipe(outgoing);
    if (state === 'open') outgoing.pipe(incoming);
  };
  const server = createServer((incoming) => {
    const outgoing = host.startsWith('/')
      ? connect(join(host, `.s.PGSQL.${targetPort}`))
      : connect(targetPort, host);
    const link = { incoming, outgoing };
    links.add(link);
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      socket
        .on('error', () => {})
        .on('close', () => {
          if (other.destroyed) links.delete(link);
          if (state === 'open') other.end();
        });
    }
    forward(link);
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
    for (const { incoming, outgoing } of links) {
      incoming.unpipe();
      outgoing.unpipe();
    }
  };
  return {
    connection: { ...target, host: '127.0.0.1', port },
    restore,
    stall,
    freeze() {
      state = 'frozen';
      stall();
    },
    muteServer() {
      state = 'muted';
      for (const { outgoing } of links) outgoing.unpipe();
    },
    thaw() {
      state = 'open';
      stall();
      for (const link of links) forward(link);
    },
    delay(ms) {
      delayMs = ms;
    },
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const { incoming, outgoing } of links) {
        incoming.destroy();
        outgoing.destroy();
      }
      await closed;
    },
  };
}

/** Timers of one length keep the order. */
function pipeDelayed(from: Socket, to: Socket, ms: number): void {
  from.on('data', (chunk) => setTimeout(() => to.writable && to.write(chunk), ms));
  from.on('end', () => setTimeout(() => to.end(), ms));
}
