import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { serializeError } from './logger.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('the log of a failed statement names the constraint, and no values of rows', async () => {
  const again = 'insert into providers select * from providers where id = $1';
  const failure = await service.db.query(again, ['DE-ABC']).catch((error: Error) => error);
  expect(failure).toHaveProperty('detail', expect.stringContaining('DE-ABC'));
  const logged = {
    code: '23505',
    constraint: 'providers_pkey',
    stack: expect.stringContaining('logger.test'),
  };
  const one = serializeError(failure as Error);
  expect(one).toMatchObject(logged);
  const several = serializeError(new AggregateError([failure], 'Some statements failed.'));
  expect(several).toMatchObject({ message: 'Some statements failed.', aggregateErrors: [logged] });
  for (const serialized of [one, several])
    expect(JSON.stringify(serialized)).not.toContain('DE-ABC');
});
