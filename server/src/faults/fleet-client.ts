import { Agent } from 'node:http';
import { type Answer, type Sent, send } from '../testing/http-client.ts';
import { requestToken } from '../testing/test-service.ts';

export type Credentials = { clientId: string; clientSecret: string };

export type FleetRequest = {
  method: string;
  /** Below the path of DE-ABC. */
  path: string;
  body?: object | string | Buffer;
  headers?: Record<string, string>;
};

export type FleetClient = {
  url: string;
  call(request: FleetRequest): Promise<Answer>;
  close(): void;
};

// A token lives five minutes.
const renewAfterMs = 180_000;

/** A client of DE-ABC that keeps its connections and renews its token. */
export function fleetClient(url: string, { clientId, clientSecret }: Credentials): FleetClient {
  const agent = new Agent({ keepAlive: true });
  let token: { text: string; at: number } | undefined;
  const authorize = async (): Promise<string | Answer> => {
    if (token && Date.now() - token.at < renewAfterMs) return token.text;
    const answer = await requestToken(url, 'DE-ABC', { clientId, clientSecret });
    if (answer.status !== 200) return answer;
    token = { text: answer.json.access_token, at: Date.now() };
    return token.text;
  };
  return {
    url,
    async call({ method, path, body, headers }) {
      const authorized = await authorize();
      if (typeof authorized !== 'string') return authorized;
      const sent: Sent = {
        method,
        path: `/api/fleets/v1/DE/ABC${path}`,
        headers: { authorization: `Bearer ${authorized}`, ...typeOf(body), ...headers },
        body: isPlain(body) ? JSON.stringify(body) : body,
      };
      return send(url, sent, agent);
    },
    close: () => agent.destroy(),
  };
}

const isPlain = (body: FleetRequest['body']): body is object =>
  typeof body === 'object' && !Buffer.isBuffer(body);

function typeOf(body: FleetRequest['body']): Record<string, string> {
  if (isPlain(body)) return { 'content-type': 'application/json' };
  return typeof body === 'string' ? { 'content-type': 'text/csv' } : {};
}
