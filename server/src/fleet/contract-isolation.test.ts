import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ContractData, seedContractData } from '../testing/contract/contract-data.ts';
import { fleetJobs } from '../testing/contract/fleet-jobs.ts';
import {
  foreignValues,
  observeJob,
  observeRequest,
  sendRequest,
} from '../testing/contract/observer.ts';
import { type AnyOperation, providers, requestsOf } from '../testing/contract/requests.ts';
import { type ContractRequest, loadSeeds, type Values } from '../testing/contract/seed.ts';
import type { Answer } from '../testing/http-client.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { operations } from './index.ts';

/**
 * Answers and effects depend on the provider's own records alone, and change nobody else's: each request is sent
 * while no other provider has records, and again while others have the same ids with other content.
 */

const seeds = await loadSeeds();
const { 'DE-ABC': own, 'FR-XYZ': other } = providers;

let service: TestService;
let data: ContractData;
let mirrored: ContractData;

beforeAll(async () => {
  service = await startTestService();
  mirrored = await seedContractData(service, seeds, other);
  data = await seedContractData(service, seeds, own);
});
afterAll(() => service.stop());

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
      await mirrored.enter('alone');
      const { status, text } = await sendRequest(service, mirrored, operation, requests[0] ?? {});
      expect(status, text).toBe(expected[0]);
    });

    test.runIf(Object.keys(operation.parameters).length > 0)(
      'answers 404 for what only another provider has, as for what nobody has',
      async () => {
        const foreign = foreignValues(operation, data);
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
  const alone = await observeJob(service, data, 'alone', job);
  expect(await observeJob(service, data, 'shared', job)).toEqual(alone);
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
  const alone = [];
  for (const request of requests)
    alone.push(await observeRequest(service, data, 'alone', operation, request));
  for (const [index, request] of requests.entries()) {
    const { response, own } = await observeRequest(service, data, 'shared', operation, request);
    expect(response, JSON.stringify(request)).toEqual(alone[index]?.response);
    expect(own, JSON.stringify(request)).toEqual(alone[index]?.own);
  }
  return alone.map(({ answer }) => answer);
}
