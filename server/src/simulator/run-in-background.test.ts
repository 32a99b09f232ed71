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

/** Starts it; what it warns of is collected. */
function start(credentials = testCredentials) {
  const warnings: string[] = [];
  const controller = new AbortController();
  const access = { url: service.url, countryCode: 'DE', code: 'ABC', ...credentials };
  const logger = { warn: (_: object, message: string) => void warnings.push(message) };
  const ended = runInBackground(access, 20, logger, controller.signal);
  return { warnings, ended, stop: () => controller.abort() };
}

test('it sends until it is told to stop, and has nothing to say', async () => {
  const { warnings, ended, stop } = start();
  const kept = () => service.db.query('select 1 from vehicle_history limit 1');
  await expect.poll(kept, { timeout: 20_000 }).toHaveLength(1);
  stop();
  await ended;
  expect(warnings).toEqual([]);
});

test('told to stop before it began, it does not begin', async () => {
  const { warnings, ended, stop } = start();
  stop();
  await ended;
  expect(warnings).toEqual([]);
});

test('what goes wrong is told once, and thrown at nobody', async () => {
  const { warnings, ended } = start({ ...testCredentials, clientSecret: 'wrong' });
  await ended;
  expect(warnings).toEqual(['the simulation has ended']);
});
