import { expect } from 'vitest';
import type { TestService } from './test-service.ts';

/** What a request has made or changed; fails where it was refused. */
export async function makeRecord(
  service: TestService,
  method: string,
  path: string,
  body: object,
): Promise<Awaited<ReturnType<TestService['call']>>['json']> {
  const { status, json } = await service.call(method, path, body);
  expect(status, `${method} ${path}: ${JSON.stringify(json)}`).toBeLessThan(300);
  return json;
}
