import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Job } from '../../platform/jobs/job.ts';
import type { Answer } from '../http-client.ts';
import type { TestService } from '../test-service.ts';
import type { ContractData, World } from './contract-data.ts';
import { requireContract } from './document.ts';
import { type AnyOperation, sentOf, valuesFor } from './requests.ts';
import type { ContractRequest, Values } from './seed.ts';

/** What becomes of a request or a job: what the client is told, and what the provider has in the end. */
export type Outcome = { told?: ReturnType<typeof toldBy>; own: string[] };

export type FleetJob = Job<{ provider: string }, never>;

/** Sends an operation's request in the name of a provider; the answer is one that the document promises. */
export async function sendRequest(
  service: TestService,
  { own, values }: ContractData,
  operation: AnyOperation,
  request: ContractRequest,
): Promise<Answer> {
  const sent = sentOf(operation, own, await service.token(own.id), values, request);
  const answer = await service.send(sent);
  if (answer.status >= 500)
    throw new Error(service.log.findLast((line) => line.includes('"err"')) ?? answer.text);
  requireContract(sent.method, sent.path, answer);
  return answer;
}

/** Sends a request in a world and does its jobs. Fails when another provider's records change. */
export async function observeRequest(
  service: TestService,
  data: ContractData,
  world: World,
  operation: AnyOperation,
  request: ContractRequest,
): Promise<Outcome & { answer: Answer }> {
  const before = await data.enter(world);
  const answer = await sendRequest(service, data, operation, request);
  if (operation.method !== 'GET' && answer.status < 400) await service.runJobs();
  const { own, others } = await data.state();
  expect(others, 'the records of other providers').toEqual(before.others);
  const told = toldBy(data, answer);
  // What changes nothing is answered the same again, from a cache too.
  if (isDeepStrictEqual(own, before.own)) {
    const again = await sendRequest(service, data, operation, request);
    expect(toldBy(data, again)).toEqual(told);
  }
  return { answer, told, own };
}

/** Does the job of the provider in a world. Fails when another provider's records change. */
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
  expect(others, 'the records of other providers').toEqual(before.others);
  return { own };
}

/** The answer without what is new in each, such as its id. */
function toldBy({ stable }: ContractData, { status, headers, json, text }: Answer) {
  const { date: _, connection: _c, 'x-request-id': _id, 'content-length': _l, ...rest } = headers;
  const { requestId: _r, instance: _i, ...body } = json ?? {};
  return {
    status,
    headers: JSON.parse(stable(JSON.stringify(rest))),
    body: json ? JSON.parse(stable(JSON.stringify(body))) : text,
  };
}

/** Ids of the other provider: all of a record at once, and each by itself beside own ones. */
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
