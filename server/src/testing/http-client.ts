import { type Agent, request } from 'node:http';

export type Sent = {
  method?: string;
  /** Sent unchanged: neither encoded nor normalised. */
  path: string;
  headers?: Record<string, string | undefined>;
  body?: string | Buffer | undefined;
};

export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  json: any;
};

/** Sends a request unchanged, even if it is malformed; on a connection of its own unless there is an agent. */
export function send(
  origin: string,
  { method = 'GET', path, headers = {}, body }: Sent,
  agent: Agent | false = false,
): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sentHeaders = Object.fromEntries(
      Object.entries({ ...length, ...headers }).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    const outgoing = request(
      { host: hostname, port, method, path, headers: sentHeaders, agent },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk) => chunks.push(chunk));
        incoming.on('error', reject);
        const finish = () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString('utf8');
          const isJson = /json/.test(incoming.headers['content-type'] ?? '');
          const { statusCode: status = 0, headers: received } = incoming;
          try {
            const json = isJson && text ? JSON.parse(text) : undefined;
            resolve({ status, headers: received, bytes, text, json });
          } catch (error) {
            reject(error);
          }
        };
        incoming.on('end', finish);
        // A stream of events does not end: its beginning is the answer.
        if (incoming.headers['content-type'] === 'text/event-stream')
          incoming.once('data', () => {
            incoming.off('error', reject);
            incoming.on('error', () => {});
            finish();
            incoming.destroy();
          });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
