import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProviderRef } from '../platform/http/operation.ts';
import {
  type ContractData,
  seedContractData,
  type World,
} from '../testing/contract/contract-data.ts';
import { fleetJobs } from '../testing/contract/fleet-jobs.ts';
import {
  expectSame,
  foreignValues,
  observeJob,
  observeRequest,
  sendRequest,
} from '../testing/contract/observer.ts';
import { type AnyOperation, providers, requestsOf } from '../testing/contract/requests.ts';
import { type ContractRequest, loadSeeds, type Values } from '../testing/contract/seed.ts';
import { giveUpJob } from '../testing/give-up-job.ts';
import type { Answer } from '../testing/http-client.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { operations } from './index.ts';

/**
 * Answers and effects depend on the provider's own records alone, and change nobody else's: each request is sent
 * while no other provider has records, and again while others have the same ids with other content.
 */

const seeds = await loadSeeds();
const { 'DE-ABC': own, 'FR-XYZ': other } = providers;

const failedJobId = '5d0f2c1b-7a3e-4f59-9c39-61d2f0a8b7e4';

type Seeded = { service: TestService; data: ContractData };

// A database for each, as it takes longer to go from one to the other than to restore what a request has changed.
let worlds: Record<World, Seeded>;
let mirrored: Seeded;

async function startSeeded(provider: ProviderRef, withOthers = true): Promise<Seeded> {
  const service = await startTestService();
  return { service, data: await seedContractData(service, seeds, provider, { withOthers }) };
}

beforeAll(async () => {
  worlds = { alone: await startSeeded(own), shared: await startSeeded(own) };
  mirrored = await startSeeded(other, false);
  // No operation makes these.
  const { alone, shared } = worlds;
  for (const { service } of [alone, shared])
    await giveUpJob(service.db, failedJobId, 'plan-fleet', { provider: own.id });
  await giveUpJob(shared.service.db, randomUUID(), 'plan-fleet', { provider: other.id });
});
afterAll(async () => {
  for (const { service } of [worlds.alone, worlds.shared, mirrored]) await service.stop();
});

describe.each(operations.map((operation) => ({ name: operation.id, operation })))(
  '$name',
  ({ operation }) => {
    const requests = requestsOf(operation, seeds);
    const expected = requests.map(
      ({ status }) => status ?? Number(Object.keys(operation.responses)[0]),
    );

    test('answers its examples as documented, whatever others have', async () => {
      const answers = await answersInBothWorlds(operation, requests);
      expect(answers.map(({ status }) => status)).toEqual(expected);
      expect(new Set(expected)).toEqual(new Set(Object.keys(operation.responses).map(Number)));
      // An empty answer would be the same for every provider.
      const contents = answers.flatMap(({ json }) => (json ? [json.items ?? json] : []));
      if (contents.length > 0)
        expect(contents.some((content) => Object.keys(content).length > 0)).toBe(true);
    });

    test('does so for another provider, too', async () => {
      const { service, data } = mirrored;
      await data.enter('alone');
      const { status, text } = await sendRequest(service, data, operation, requests[0] ?? {});
      expect(status, text).toBe(expected[0]);
    });

    test.runIf(Object.keys(operation.parameters).length > 0)(
      'answers 404 for what only another provider has, as for what nobody has',
      async () => {
        const foreign = foreignValues(operation, worlds.alone.data);
        const foreignRequests = foreign.map((values) => ({ ...requests[0], values }));
        const answers = await answersInBothWorlds(operation, foreignRequests);
        for (const [index, values] of foreign.entries()) {
          if (!createsBy(operation, values)) expect(answers[index]?.status).toBe(404);
        }
      },
    );
  },
);

test.each(fleetJobs)('the job $name does the same whatever others have', async (job) => {
  const { alone, shared } = worlds;
  const expected = await observeJob(alone.service, alone.data, 'alone', job);
  expect(await observeJob(shared.service, shared.data, 'shared', job)).toEqual(expected);
});

/** Whether a PUT makes what is not there, under an id that is free as far as the provider can see. */
function createsBy({ method, path, responses }: AnyOperation, values: Values): boolean {
  const isLast = Object.keys(values).every((name) => path.endsWith(`{${name}}`));
  return method === 'PUT' && 201 in responses && isLast;
}

async function answersInBothWorlds(
  operation: AnyOperation,
  requests: readonly ContractRequest[],
): Promise<Answer[]> {
  const observe = (world: World, request: ContractRequest) =>
    observeRequest(worlds[world].service, worlds[world].data, world, operation, request);
  const answers = [];
  for (const request of requests) {
    const alone = await observe('alone', request);
    const { response, own } = await observe('shared', request);
    expect(response, JSON.stringify(request)).toEqual(alone.response);
    expectSame(own, alone.own, JSON.stringify(request));
    answers.push(alone.answer);
  }
  return answers;
}
