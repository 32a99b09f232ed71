import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoFleet } from '../fleet/vehicles/demo/fleet.ts';
import { writeVehicles } from '../fleet/vehicles/public.ts';
import { demoScope } from '../testing/demo-scope.ts';
import { testCredentials } from '../testing/global-setup.ts';
import { quietWriter } from '../testing/no-subscribers.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { runInBackground } from './run-in-background.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  const fleet = demoFleet(demoScope('DE', new Date())).slice(0, 30);
  await writeVehicles(
    quietWriter(service.db),
    { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' },
    fleet,
  );
});
afterAll(() => service.stop());

/** Starts it, and collects its warnings. */
function start(credentials = testCredentials) {
  const warnings: string[] = [];
  const controller = new AbortController();
  const access = { url: service.url, countryCode: 'DE', code: 'ABC', ...credentials };
  const logger = { warn: (_: object, message: string) => void warnings.push(message) };
  const ended = runInBackground(access, 20, { logger, signal: controller.signal });
  return { warnings, ended, stop: () => controller.abort() };
}

test('it sends until it is stopped, without a warning', async () => {
  const { warnings, ended, stop } = start();
  const stored = () => service.db.query('select 1 from vehicle_history limit 1');
  await expect.poll(stored, { timeout: 20_000 }).toHaveLength(1);
  stop();
  await ended;
  expect(warnings).toEqual([]);
});

test('stopped before its start, it does not start', async () => {
  const { warnings, ended, stop } = start();
  stop();
  await ended;
  expect(warnings).toEqual([]);
});

test('an error is logged once, and not thrown', async () => {
  const { warnings, ended } = start({ ...testCredentials, clientSecret: 'wrong' });
  await ended;
  expect(warnings).toEqual(['the simulation has ended']);
});
