import type { Environment } from '../environment.ts';
import { type LoadResult, load, momentMark, type Request } from '../load/load.ts';
import type { Line, Unsigned } from '../scenarios.ts';

/** Whatever is measured: the service, its limits, and what others would have built. */
export type Peer = {
  name: string;
  /** What it lacks to be a fair comparison, for the report. */
  note?: string;
  serves(line: Line): boolean;
  /** Once a run, before the first start: what has to be installed or filled. */
  prepare?(environment: Environment): Promise<void>;
  start(environment: Environment): Promise<RunningPeer>;
};

type Run = (
  line: Line,
  connections: number,
  seconds: number,
  onBegin?: () => void,
) => Promise<LoadResult>;

export type RunningPeer = {
  pids: number[];
  /** Where it answers, if it speaks HTTP. */
  urls?: string[];
  /** Does what the line asks for over and over. */
  run: Run;
  /** Its answer to the first request of a line; what has no answers of its own has none. */
  answer?(line: Line): Promise<{ size: number; body: unknown }>;
  stop(): Promise<void>;
};

/** Signs requests with the token of their provider; asked anew for each load, as tokens are short-lived. */
export type Sign = (access: number) => Promise<string>;

/** The side of a running peer that speaks HTTP. */
export function overHttp(
  environment: Environment,
  urls: string[],
  sign: Sign,
  headersFor: (body: string | undefined) => Record<string, string> = () => ({}),
) {
  const signed = async (requests: readonly Unsigned[]): Promise<Request[]> => {
    const tokens = new Map<number, string>();
    for (const { access } of requests) {
      if (access !== undefined && !tokens.has(access)) tokens.set(access, await sign(access));
    }
    return requests.map(({ access, type, ...request }) => ({
      ...request,
      headers: {
        ...(type && { 'content-type': type }),
        ...headersFor(request.body),
        ...(access !== undefined && { authorization: `Bearer ${tokens.get(access)}` }),
      },
    }));
  };
  const run: Run = async (line, connections, seconds, onBegin) => {
    const requests = await signed(line.requests(environment));
    return load({ urls, requests, connections, seconds }, onBegin);
  };
  return {
    urls,
    run,
    async answer(line: Line): Promise<{ size: number; body: unknown }> {
      const [request] = await signed(line.requests(environment).slice(0, 1));
      if (!request) throw new Error(`${line.name} has no request.`);
      const body = request.body?.replaceAll(momentMark, new Date().toISOString());
      const response = await fetch(`${urls[0]}${request.path}`, { ...request, body });
      const text = await response.text();
      if (!response.ok) throw new Error(`${line.name}: ${response.status} ${text.slice(0, 500)}`);
      return { size: Buffer.byteLength(text), body: JSON.parse(text) };
    },
  };
}
