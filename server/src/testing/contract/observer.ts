import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Job } from '../../platform/jobs/job.ts';
import type { Answer } from '../http-client.ts';
import type { TestService } from '../test-service.ts';
import type { ContractData, World } from './contract-data.ts';
import { requireContract } from './document.ts';
import { type AnyOperation, sentOf, valuesFor } from './requests.ts';
import type { ContractRequest, Values } from './seed.ts';

/** The result of a request or a job: the response, and the provider's records afterwards. */
export type Outcome = { response?: ReturnType<typeof comparable>; own: string[] };

export type FleetJob = Job<{ provider: string }, never>;

/** Whose state is known: nothing was sent since it was read. */
const settled = new WeakSet<ContractData>();

/** Sends a request as a provider; checks the answer against the document. */
export async function sendRequest(
  service: TestService,
  data: ContractData,
  operation: AnyOperation,
  request: ContractRequest,
): Promise<Answer> {
  const { own, values } = data;
  settled.delete(data);
  const sent = sentOf(operation, own, await service.token(own.id), values, request);
  const answer = await service.send(sent);
  if (answer.status >= 500)
    throw new Error(service.log.findLast((line) => line.includes('"err"')) ?? answer.text);
  requireContract(sent.method, sent.path, answer);
  return answer;
}

/** For thousands of records, of which `expect` takes long to find that they are equal. */
export function expectSame(found: readonly string[], expected: readonly string[], what: string) {
  if (!isDeepStrictEqual(found, expected)) expect(found, what).toEqual(expected);
}

/** Sends a request in a world and runs its jobs. Fails when another provider's records change. */
export async function observeRequest(
  service: TestService,
  data: ContractData,
  world: World,
  operation: AnyOperation,
  request: ContractRequest,
): Promise<Outcome & { answer: Answer }> {
  const before = await data.enter(world, settled.has(data));
  const answer = await sendRequest(service, data, operation, request);
  const mayAddJobs = operation.method !== 'GET' && answer.status < 400;
  // Before the state is read, where no change is expected: it need not be read again then.
  const readsOnly = !mayAddJobs || operation.workload === 'search';
  let again = readsOnly ? await sendRequest(service, data, operation, request) : undefined;
  if (mayAddJobs) await service.runJobs();
  const { own, others } = await data.state();
  settled.add(data);
  expectSame(others, before.others, 'the records of other providers');
  const response = comparable(data, answer);
  // A request that changes nothing has the same response again, also from a cache.
  if (isDeepStrictEqual(own, before.own)) {
    again ??= await sendRequest(service, data, operation, request);
    expect(comparable(data, again)).toEqual(response);
  }
  return { answer, response, own };
}

/** Runs the job of the provider in a world. Fails when another provider's records change. */
export async function observeJob(
  service: TestService,
  data: ContractData,
  world: World,
  job: FleetJob,
): Promise<Outcome> {
  const before = await data.enter(world);
  const { db, jobs } = service.dependencies;
  await db.transaction((tx) => jobs.add(tx, job, { provider: data.own.id }));
  expect(await service.runJobs()).toBeGreaterThan(0);
  const { own, others } = await data.state();
  expectSame(others, before.others, 'the records of other providers');
  return { own };
}

/** The answer without what differs each time, such as its id. */
function comparable({ stable }: ContractData, { status, headers, json, text }: Answer) {
  const { date: _, connection: _c, 'x-request-id': _id, 'content-length': _l, ...rest } = headers;
  const { requestId: _r, instance: _i, ...body } = json ?? {};
  return {
    status,
    headers: JSON.parse(stable(JSON.stringify({ ...rest, etag: versionOf(rest.etag) }))),
    body: json ? JSON.parse(withoutPort(stable(JSON.stringify(body)))) : text,
  };
}

/** Both worlds have a service of their own, which the types of problems name. */
function withoutPort(text: string): string {
  return text.replaceAll(/(http:\/\/127\.0\.0\.1):\d+/g, '$1');
}

/** Ids of the other provider: all ids of a record, and each one combined with own ids. */
export function foreignValues(operation: AnyOperation, data: ContractData): Values[] {
  const mine = valuesFor(operation, data.values);
  return data.foreign.flatMap((foreign) => {
    const changed = Object.entries(valuesFor(operation, foreign)).filter(
      ([name, value]) => mine[name] !== value,
    );
    const single = changed.map(([name, value]) => ({ [name]: value }));
    return changed.length > 1 ? [Object.fromEntries(changed), ...single] : single;
  });
}

/** Without the hash of the body, which has ids and times that differ each time. */
function versionOf(etag: Answer['headers'][string]): string | undefined {
  return etag === undefined ? undefined : String(etag).replace(/^"(\d+)\.[\w-]+"$/, '"$1"');
}
