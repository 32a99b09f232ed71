import { randomInt } from 'node:crypto';
import { Agent } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ContractData, seedContractData } from '../testing/contract/contract-data.ts';
import { requireContract } from '../testing/contract/document.ts';
import { providers } from '../testing/contract/requests.ts';
import { loadSeeds, type Values } from '../testing/contract/seed.ts';
import {
  type DocumentedOperation,
  documentedOperations,
} from '../testing/fuzz/documented-operations.ts';
import { fillIn, type GeneratedRequest, requestOf } from '../testing/fuzz/request-arbitrary.ts';
import { testCredentials } from '../testing/global-setup.ts';
import { send } from '../testing/http-client.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';

/**
 * Requests that are generated from the OpenAPI document, in sessions of several, as what one leaves behind may break
 * the next. `npm run test:fuzz` sends more of them, from a seed of its own; FUZZ_SEED repeats the round of a seed.
 */
const { FUZZ_REQUESTS, FUZZ_SEED } = process.env;
const wanted = Number(FUZZ_REQUESTS ?? 2_000);
const firstSeed = Number(FUZZ_SEED ?? (FUZZ_REQUESTS === undefined ? 1 : randomInt(2 ** 31)));
const sessionsInRound = 5;
/** They succeed with what only a person who signs in has. */
const needsPerson = ['signOut'];

let service: TestService;
let data: ContractData;
let token: string;
let values: Values;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const succeeded = new Set<string>();
let sent = 0;

beforeAll(async () => {
  service = await startTestService();
  data = await seedContractData(service, await loadSeeds(), providers['DE-ABC']);
  values = {
    ...data.values,
    assetProviderCountryCode: 'DE',
    assetProviderCode: 'ABC',
    realm: 'DE-ABC',
    client_id: testCredentials.clientId,
    client_secret: testCredentials.clientSecret,
  };
});
afterAll(async () => {
  agent.destroy();
  await service.stop();
});

function sessionsOf(operations: readonly DocumentedOperation[]) {
  const requests = operations.map((operation) => ({
    weight: weightOf(operation),
    arbitrary: requestOf(operation),
  }));
  return fc.array(fc.oneof(...requests), { minLength: 1, maxLength: 20, size: 'max' });
}
const allSessions = sessionsOf(documentedOperations);

test(
  `${wanted} requests from seed ${firstSeed} are answered as documented, and never with 5xx`,
  async () => {
    let round = firstSeed;
    for (; sent < wanted; round++) await runRound(round, allSessions);
    for (; unreached().length > 0 && sent < 2 * wanted; round++)
      await runRound(round, sessionsOf(unreached()));
    expect(unreached().map(({ id }) => id)).toEqual([]);
  },
  wanted * 300,
);

/** Operations without a success yet: what they do has not been tested. */
function unreached(): DocumentedOperation[] {
  return documentedOperations.filter(({ id }) => !succeeded.has(id) && !needsPerson.includes(id));
}

/** Some sessions on freshly seeded records; once one has failed, each that is tried to shrink it begins anew. */
async function runRound(seed: number, sessions: typeof allSessions): Promise<void> {
  const { others } = await renew();
  let hasFailed = false;
  const property = fc.asyncProperty(sessions, async (session) => {
    if (hasFailed) await renew();
    try {
      await runSession(session);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  });
  const { failed, counterexample, errorInstance, numShrinks } = await fc.check(property, {
    seed,
    numRuns: sessionsInRound,
    interruptAfterTimeLimit: 30_000,
  });
  if (failed) {
    const requests = (counterexample?.[0] ?? []).map(describeRequest).join('\n');
    throw new Error(
      `${sessions === allSessions ? `FUZZ_SEED=${seed}` : 'of operations without a success'}, shrunk ${numShrinks} times to\n${requests}\n${(errorInstance as Error).message}`,
    );
  }
  expect((await data.state()).others, `FUZZ_SEED=${seed}: records of other providers`).toEqual(
    others,
  );
  const health = await service.send({ path: '/health/ready' });
  expect(health.status, `FUZZ_SEED=${seed}: health`).toBe(200);
}

/** More of those that can be sent more. */
function weightOf({ content, parameters }: DocumentedOperation): number {
  if (Object.keys(content).length > 0) return 5;
  return parameters.some((one) => one.in === 'query') ? 5 : 1;
}

async function renew() {
  service.log.length = 0;
  token = (await requestToken(service.url, 'DE-ABC', testCredentials)).json.access_token;
  data.renew();
  return data.enter('shared');
}

async function runSession(session: readonly GeneratedRequest[]): Promise<void> {
  for (const generated of session) {
    const request = fillIn(generated, values);
    const { method = 'GET', path } = request;
    const authorization = generated.secured ? `Bearer ${token}` : undefined;
    const answer = await send(
      service.url,
      { ...request, headers: { authorization, ...request.headers } },
      agent,
    );
    sent += 1;
    if (answer.status < 300) succeeded.add(generated.operation);
    if (answer.status >= 500) throw new Error(`${method} answered ${answer.text}\n${lastError()}`);
    // A request line that is too long reaches no operation.
    requireContract(method, answer.status === 431 ? '/' : path, answer);
  }
  await service.runJobs();
  const error = lastError();
  if (error) throw new Error(`the log has ${error}`);
}

function lastError(): string | undefined {
  return service.log.findLast((line) => line.includes('"err"'))?.slice(0, 1_000);
}

function describeRequest(request: GeneratedRequest): string {
  const { method, path, headers, body } = request;
  const text = JSON.stringify(body?.bytes.toString('utf8'));
  return [method, path, JSON.stringify(headers), text]
    .map((part) =>
      part && part.length > 1_000 ? `${part.slice(0, 1_000)}… (${part.length})` : part,
    )
    .join(' ');
}
