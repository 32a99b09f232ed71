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
  const serialized = serializeError(failure as Error);
  expect(serialized).toMatchObject({
    code: '23505',
    constraint: 'providers_pkey',
    stack: expect.stringContaining('logger.test'),
  });
  expect(JSON.stringify(serialized)).not.toContain('DE-ABC');
});
