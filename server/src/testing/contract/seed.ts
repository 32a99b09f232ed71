import { globSync } from 'node:fs';
import type { ProviderRef } from '../../platform/http/operation.ts';
import type { TestService } from '../test-service.ts';
import { requireContract } from './document.ts';

/** What the contract tests need of a module, exported as `seed` by its `contract-seed.ts`. */
export type ContractSeed = {
  /** Path parameters whose values come from the seeds of other modules. */
  needs?: readonly string[];
  /**
   * Creates records of each kind of the module. Returns values of path parameters by name, or by the whole path of an
   * operation where a name is ambiguous.
   */
  create(maker: Maker): Promise<Values>;
  /** Requests beyond the documented examples, by operationId: other branches, other successes. */
  requests?: Record<string, readonly ContractRequest[]>;
};

export type Values = Record<string, string>;

export type ContractRequest = {
  /** Path parameters other than the seeded ones; `{name}` is replaced by a value of the seeds. */
  values?: Values;
  query?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** By default the first documented success. */
  status?: number;
};

export type Maker = {
  provider: ProviderRef;
  /** The address of the service, for what a person does in a browser. */
  url: string;
  /** 1: the records of the examples. 2: others of the same vehicle. 3: those of another vehicle. */
  round: 1 | 2 | 3;
  values: Values;
  /** A client-chosen id: that of the example, or another one. */
  id(example: string): string;
  /** An operation of the provider that must succeed; returns its body. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  call(method: string, path: string, body?: unknown): Promise<any>;
};

const fleet = new URL('../../fleet/', import.meta.url);

/** The seeds of all modules. */
export async function loadSeeds(): Promise<ContractSeed[]> {
  const seeds: ContractSeed[] = [];
  for (const name of globSync('*/contract-seed.ts', { cwd: fleet.pathname }).sort())
    seeds.push((await import(new URL(name, fleet).href)).seed);
  return seeds;
}

/** Runs all seeds for one round; returns all of their values. */
export async function createRecords(
  service: TestService,
  seeds: readonly ContractSeed[],
  provider: ProviderRef,
  round: Maker['round'],
): Promise<Values> {
  const values: Values = {};
  const id = (example: string) => (round === 1 ? example : `${example}-${round}`);
  const call = (method: string, path: string, body?: unknown) =>
    callAs(service, provider, method, path, body);
  for (let waiting = [...seeds]; waiting.length > 0; ) {
    const ready = waiting.filter(({ needs = [] }) => needs.every((name) => name in values));
    if (ready.length === 0) throw new Error('no seed gives what the others need');
    for (const { create } of ready)
      Object.assign(values, await create({ provider, url: service.url, round, values, id, call }));
    waiting = waiting.filter((seed) => !ready.includes(seed));
  }
  return values;
}

async function callAs(
  service: TestService,
  { id, countryCode, code }: ProviderRef,
  method: string,
  path: string,
  body: unknown,
): Promise<unknown> {
  const isBytes = body instanceof Buffer;
  const fullPath = `/api/fleets/v1/${countryCode}/${code}${path}`;
  const answer = await service.send({
    method,
    path: fullPath,
    body: body === undefined || isBytes ? body : JSON.stringify(body),
    headers: {
      authorization: `Bearer ${await service.token(id)}`,
      ...(body !== undefined && !isBytes && { 'content-type': 'application/json' }),
    },
  });
  if (answer.status >= 500)
    throw new Error(service.log.findLast((line) => line.includes('"err"')) ?? answer.text);
  requireContract(method, fullPath, answer);
  if (answer.status >= 300) throw new Error(`${method} ${fullPath}: ${answer.text}`);
  return answer.json;
}
