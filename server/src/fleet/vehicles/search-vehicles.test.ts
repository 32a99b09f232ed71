import { afterAll, beforeAll, expect, test } from 'vitest';
import { quietWriter } from '../../testing/no-subscribers.ts';
import {
  createSearchModel,
  findVehicles,
  lineOf,
  provider,
  type Search,
} from '../../testing/search-model.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { writeVehicles } from './vehicle-store.ts';

/** Two processes of the service on one database, which search and write in turns. */
let services: [TestService, TestService];
const model = createSearchModel();

beforeAll(async () => {
  const first = await startTestService();
  services = [first, await startTestService({ database: first.database, publicUrl: first.url })];
  await model.seed(first.db);
});
afterAll(async () => {
  await services[1].stop();
  await services[0].stop();
});

test('whatever is written by one process, every process finds it, counted and in order', () =>
  model.check(services.map((service) => service.call)));

test('while one process writes, the other never answers less than was acknowledged', async () => {
  const search: Search = { searchText: 'Wartburg', pagination: { pageNumber: 0, pageSize: 10 } };
  const many = Array.from({ length: 220 }, (_, number) =>
    lineOf(`DE*ABC*w${number}`, { vendor: 'Wartburg', model: '353' }),
  );
  await services[0].db.transaction((tx) => writeVehicles(quietWriter(tx), provider, many));
  let begun = many.length;
  let acknowledged = many.length;
  const writing = (async () => {
    for (let number = 0; number < 60; number++) {
      begun += 1;
      const body = { information: { vendor: 'Wartburg' } };
      const { status } = await services[0].call('PUT', `/DE*ABC*v${number}`, body);
      expect(status).toBe(201);
      acknowledged += 1;
    }
  })();
  let isDone = false;
  void writing.finally(() => {
    isDone = true;
  });
  const reader = async () => {
    while (!isDone) {
      const least = acknowledged;
      const { total } = await findVehicles(services[1].call, search);
      expect(total).toBeGreaterThanOrEqual(least);
      expect(total).toBeLessThanOrEqual(begun);
    }
  };
  await Promise.all([writing, ...Array.from({ length: 6 }, reader)]);
  expect((await findVehicles(services[1].call, search)).total).toBe(acknowledged);
});
