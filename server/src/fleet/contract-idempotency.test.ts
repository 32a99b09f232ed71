import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takesIdempotencyKey } from '../platform/http/idempotency/idempotency-key.ts';
import { type ContractData, seedContractData } from '../testing/contract/contract-data.ts';
import { sendRequest } from '../testing/contract/observer.ts';
import { type AnyOperation, providers, requestsOf } from '../testing/contract/requests.ts';
import { loadSeeds } from '../testing/contract/seed.ts';
import { problemType } from '../testing/problem-type.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { operations } from './index.ts';

/** Every write by POST and PATCH can be sent again under its Idempotency-Key. */

const seeds = await loadSeeds();
const writes = operations.filter(({ method }) => method === 'POST' || method === 'PATCH');

let service: TestService;
let data: ContractData;
beforeAll(async () => {
  service = await startTestService();
  data = await seedContractData(service, seeds, providers['DE-ABC']);
});
afterAll(() => service.stop());

test('all but those that change nothing take a key', () => {
  const others = writes.filter((operation) => !takesIdempotencyKey(operation));
  for (const { id } of others) expect(id).toMatch(/^(find|list)|History$|^testWebhook$/);
});

const keyed = writes.filter(takesIdempotencyKey);
describe.each(keyed.map((operation) => ({ name: operation.id, operation })))(
  '$name',
  ({ operation }) => {
    test.each(oneForEachStatus(operation))(
      'a $status again, without an effect; 422 for another request',
      async ({ status, request }) => {
        await data.enter('alone');
        const headers = { ...request.headers, 'idempotency-key': randomUUID() };
        const sent = { ...request, headers };
        const first = await sendRequest(service, data, operation, sent);
        expect(first.status).toBe(status);
        const { own } = await data.state();

        const again = await sendRequest(service, data, operation, sent);
        expect([again.status, again.text]).toEqual([first.status, first.text]);
        const { date: _, 'x-request-id': _id, ...kept } = first.headers;
        expect(again.headers).toMatchObject({ ...kept, 'idempotency-replayed': 'true' });
        expect((await data.state()).own).toEqual(own);

        const other = await sendRequest(service, data, operation, { ...sent, query: '?' });
        expect([other.status, other.json.type]).toEqual([
          422,
          problemType('idempotency-key-reused'),
        ]);
      },
    );
  },
);

function oneForEachStatus(operation: AnyOperation) {
  const [success] = Object.keys(operation.responses).map(Number);
  const requests = requestsOf(operation, seeds).map((request) => ({
    status: request.status ?? success,
    request,
  }));
  return requests.filter(
    ({ status }, index) => requests.findIndex((one) => one.status === status) === index,
  );
}
