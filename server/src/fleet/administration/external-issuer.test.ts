import { expect, test } from 'vitest';
import { providers, sentOf } from '../../testing/contract/requests.ts';
import { problemType } from '../../testing/problem-type.ts';
import { startTestService } from '../../testing/test-service.ts';
import { administration } from './index.ts';

test('with an external issuer every operation on accounts is 409 and says where to administer', async () => {
  const issuer = await startTestService();
  const service = await startTestService({
    database: issuer.database,
    authIssuer: `${issuer.url}/realms/{realm}`,
    authAudience: ['demo-client'],
  });
  try {
    const token = await issuer.token();
    for (const operation of administration.operations) {
      // The jobs are this service's own.
      const isOfAccounts = operation.id !== 'findFailedJobs';
      const values = Object.fromEntries(
        Object.entries(operation.parameters).map(([name, { example }]) => [name, example]),
      );
      const [example] = Object.values(operation.body?.examples ?? {});
      const request = { body: example?.value };
      const { status, json } = await service.send(
        sentOf(operation, providers['DE-ABC'], token, values, request),
      );
      expect(operation.role, operation.id).toBe('admin');
      expect(status, operation.id).toBe(isOfAccounts ? 409 : 200);
      if (!isOfAccounts) continue;
      expect(json.type, operation.id).toEqual(problemType('external-issuer'));
      expect(operation.problems, operation.id).toHaveProperty('409');
    }
  } finally {
    await service.stop();
    await issuer.stop();
  }
});
