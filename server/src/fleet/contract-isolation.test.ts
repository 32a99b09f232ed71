import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireContract } from '../testing/contract/document.ts';
import {
  type AnyOperation,
  providers,
  requestsOf,
  sentOf,
  valuesFor,
} from '../testing/contract/requests.ts';
import { type ContractRequest, loadSeeds, type Values } from '../testing/contract/seed.ts';
import {
  seedTwoProviders,
  type TwoProviders,
  type World,
} from '../testing/contract/two-providers.ts';
import type { Answer } from '../testing/http-client.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { closeSilentCharging } from './charging/close-silent-charging.ts';
import { operations } from './index.ts';
import { refreshFleet } from './maintenance/refresh-fleet.ts';
import { reviewFleet } from './maintenance/review-fleet.ts';

/**
 * What a provider is answered, and what it has afterwards, depends on its own records alone; and no other
 * provider's records change. Each request is sent twice: while nobody else has any, and while another
 * provider has the same ids with other content.
 */

const seeds = await loadSeeds();
const { 'DE-ABC': own, 'FR-XYZ': other } = providers;

let service: TestService;
let data: TwoProviders;
let mirrored: TwoProviders;

beforeAll(async () => {
  service = await startTestService();
  mirrored = await seedTwoProviders(service, seeds, other, own);
  data = await seedTwoProviders(service, seeds, own, other);
});
afterAll(() => service.stop());

describe.each(operations.map((operation) => ({ name: operation.id, operation })))(
  '$name',
  ({ operation }) => {
    const requests = requestsOf(operation, seeds);

    test('answers its examples as documented, and the same whatever others have', async () => {
      const answers = await requireSame(operation, requests);
      expect(answers.map(({ status }) => status)).toEqual(
        requests.map((request) => expectedStatus(operation, request)),
      );
      expect(new Set(answers.map(({ status }) => String(status)))).toEqual(
        new Set(Object.keys(operation.responses)),
      );
      if (answers.some(({ json }) => json?.pagination))
        expect(answers.some(({ json }) => Object.keys(json.items).length > 0)).toBe(true);
    });

    test('does so for each provider', async () => {
      for (const request of requests) {
        await mirrored.enter('alone');
        const { status, text } = await send(operation, mirrored, request);
        expect(status, text).toBe(expectedStatus(operation, request));
      }
    });

    test.runIf(Object.keys(operation.parameters).length > 0)(
      'answers for what only another provider has as for what nobody has',
      async () => {
        const [example = {}] = requests;
        const foreign = foreignValues(operation);
        const answers = await requireSame(
          operation,
          foreign.map((values) => ({ ...example, values })),
        );
        for (const [index, values] of foreign.entries()) {
          if (!createsBy(operation, values)) expect(answers[index]?.status).toBe(404);
        }
      },
    );
  },
);

test.each([closeSilentCharging, refreshFleet, reviewFleet])(
  'the job $name of a provider does the same whatever others have',
  async (job) => {
    const outcome = async (world: World) => {
      const before = await data.enter(world);
      await service.db.transaction((tx) =>
        service.dependencies.jobs.add(tx, job, { provider: own.id }),
      );
      expect(await service.runJobs()).toBeGreaterThan(0);
      const after = await data.state();
      expect(after.other).toEqual(before.other);
      return after.own;
    };
    expect(await outcome('shared')).toEqual(await outcome('alone'));
  },
);

function expectedStatus(operation: AnyOperation, { status }: ContractRequest): number {
  return status ?? Number(Object.keys(operation.responses)[0]);
}

/** The ids of the other provider: all of a record at once, and each by itself beside own ones. */
function foreignValues(operation: AnyOperation): Values[] {
  const mine = valuesFor(operation, data.values);
  return data.foreign.flatMap((foreign) => {
    const changed = Object.entries(valuesFor(operation, foreign)).filter(
      ([name, value]) => mine[name] !== value,
    );
    const single = changed.map(([name, value]) => ({ [name]: value }));
    return changed.length > 1 ? [Object.fromEntries(changed), ...single] : single;
  });
}

/** Whether a PUT makes what is not there, under an id that is free as far as the provider can see. */
function createsBy({ method, path, responses }: AnyOperation, values: Values): boolean {
  const isLast = Object.keys(values).every((name) => path.endsWith(`{${name}}`));
  return method === 'PUT' && 201 in responses && isLast;
}

/** Sends requests while the provider is alone, and again while others have what it has. */
async function requireSame(
  operation: AnyOperation,
  requests: readonly ContractRequest[],
): Promise<Answer[]> {
  const alone = [];
  for (const request of requests) alone.push(await observe(operation, 'alone', request));
  for (const [index, request] of requests.entries()) {
    const { outcome } = await observe(operation, 'shared', request);
    expect(outcome, JSON.stringify(request)).toEqual(alone[index]?.outcome);
  }
  return alone.map(({ answer }) => answer);
}

/** What becomes of a request: what the client is told, and what the provider has in the end. */
async function observe(operation: AnyOperation, world: World, request: ContractRequest) {
  const before = await data.enter(world);
  const answer = await send(operation, data, request);
  if (operation.method !== 'GET' && answer.status < 400) await service.runJobs();
  const after = await data.state();
  expect(after.other, 'the records of the other provider').toEqual(before.other);
  // What changes nothing is answered the same again, from a cache too.
  if (isDeepStrictEqual(after.own, before.own))
    expect(toldBy(await send(operation, data, request))).toEqual(toldBy(answer));
  return { answer, outcome: { told: toldBy(answer), state: after.own } };
}

async function send(
  operation: AnyOperation,
  to: TwoProviders,
  request: ContractRequest,
): Promise<Answer> {
  const sent = sentOf(operation, to.own, await service.token(to.own.id), to.values, request);
  const answer = await service.send(sent);
  if (answer.status >= 500)
    throw new Error(service.log.findLast((line) => line.includes('"err"')) ?? answer.text);
  requireContract(sent.method, sent.path, answer);
  return answer;
}

/** The answer without what is another in each: its id, and the path where that was another. */
function toldBy({ status, headers, json, text }: Answer) {
  const { date: _, connection: _c, 'x-request-id': _id, 'content-length': _l, ...rest } = headers;
  const { requestId: _r, instance: _i, ...body } = json ?? {};
  return {
    status,
    headers: JSON.parse(data.stable(JSON.stringify(rest))),
    body: json ? JSON.parse(data.stable(JSON.stringify(body))) : text,
  };
}
