import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockWaits } from '../../testing/lock-waits.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { lockVehicles } from './lock-vehicles.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const vehicle = '/DE*ABC*V1';
const message = { timestamp: new Date().toISOString(), odometer: 1 };
const incident = { title: 'x', vehicleOperable: true, isResolved: false };
const customer = {
  mobilityProviderCountryCode: 'DE',
  mobilityProviderCode: 'MOB',
  customerId: '52610fa1-c447-4ecb-95bc-7f8f6cc69ff9',
};

test.each([
  ['a status', 'PUT', `${vehicle}/status`, message],
  ['an incident', 'POST', `${vehicle}/incidents`, incident],
  ['a logbook entry', 'POST', `${vehicle}/logbook`, { date: '2026-01-01', title: 'x' }],
  ['a checklist entry', 'POST', `${vehicle}/checklist`, { title: 'x', type: 'check' }],
  ['a driver', 'PUT', `${vehicle}/drivers`, customer],
  ['a plan', 'POST', `${vehicle}/maintenance`, { title: 'x', dueDate: '2030-01-01' }],
  ['an inspection', 'PUT', `${vehicle}/inspection`, {}],
  ['a box', 'PUT', '/databoxes/B1', { vehicleId: 'DE*ABC*V1' }],
])(
  'a deletion waits for writers that are under way, but not for %s that comes later',
  async (_what, method, path, body) => {
    await service.call('PUT', vehicle, { information: {} });
    let deletion: ReturnType<TestService['call']> | undefined;
    let writer: ReturnType<TestService['call']> | undefined;
    await service.db.transaction(async (tx) => {
      await lockVehicles(tx, 'DE-ABC', ['DE*ABC*V1']);
      deletion = service.call('DELETE', vehicle);
      while ((await lockWaits(service.db)) < 1);
      let isAnswered = false;
      writer = service.call(method, path, body).finally(() => {
        isAnswered = true;
      });
      while (!isAnswered && (await lockWaits(service.db)) < 2);
    });
    expect((await deletion)?.status).toBe(204);
    expect((await writer)?.status).toBe(404);
  },
);

test('a writer that already holds the vehicle locks it again before a deletion that waits', async () => {
  await service.call('PUT', vehicle, { information: {} });
  let deletion: ReturnType<TestService['call']> | undefined;
  await service.db.transaction(async (tx) => {
    await lockVehicles(tx, 'DE-ABC', ['DE*ABC*V1']);
    deletion = service.call('DELETE', vehicle);
    while ((await lockWaits(service.db)) < 1);
    expect(await lockVehicles(tx, 'DE-ABC', ['DE*ABC*V1'])).toHaveLength(1);
  });
  expect((await deletion)?.status).toBe(204);
});
