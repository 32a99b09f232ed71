import type { Environment } from '../environment.ts';
import { type LoadResult, load, type Request, timePlaceholder } from '../load/load.ts';
import type { Scenario, Unsigned } from '../scenarios.ts';

/** What is measured: the service, its limits, and alternatives. */
export type Peer = {
  name: string;
  /** How it differs from the service, for the report. */
  note?: string;
  serves(scenario: Scenario): boolean;
  /** Called once, before the first start. */
  prepare?(environment: Environment): Promise<void>;
  start(environment: Environment): Promise<RunningPeer>;
};

type Run = (
  scenario: Scenario,
  connections: number,
  seconds: number,
  onBegin?: () => void,
) => Promise<LoadResult>;

export type RunningPeer = {
  pids: number[];
  /** Its addresses, if it serves HTTP. */
  urls?: string[];
  /** Executes the scenario repeatedly. */
  run: Run;
  /** Its answer to the first request of a scenario, if it gives real answers. */
  answer?(scenario: Scenario): Promise<{ size: number; body: unknown }>;
  stop(): Promise<void>;
};

/** The token of a provider; requested for each load, as tokens are short-lived. */
export type TokenSource = (access: number) => Promise<string>;

/** The methods of a peer that serves HTTP. */
export function overHttp(
  environment: Environment,
  urls: string[],
  tokenFor: TokenSource,
  headersFor: (body: string | undefined) => Record<string, string> = () => ({}),
) {
  const authorized = async (requests: readonly Unsigned[]): Promise<Request[]> => {
    const tokens = new Map<number, string>();
    for (const { access } of requests) {
      if (access !== undefined && !tokens.has(access)) tokens.set(access, await tokenFor(access));
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
  const run: Run = async (scenario, connections, seconds, onBegin) => {
    const requests = await authorized(scenario.requests(environment));
    return load({ urls, requests, connections, seconds }, onBegin);
  };
  return {
    urls,
    run,
    async answer(scenario: Scenario): Promise<{ size: number; body: unknown }> {
      const [request] = await authorized(scenario.requests(environment).slice(0, 1));
      if (!request) throw new Error(`${scenario.name} has no request.`);
      const body = request.body?.replaceAll(timePlaceholder, new Date().toISOString());
      const response = await fetch(`${urls[0]}${request.path}`, { ...request, body });
      const text = await response.text();
      if (!response.ok)
        throw new Error(`${scenario.name}: ${response.status} ${text.slice(0, 500)}`);
      return { size: Buffer.byteLength(text), body: JSON.parse(text) };
    },
  };
}
