import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/test-service.ts';

/** A client that asks each search and list what has changed since it last asked. */

// biome-ignore lint/suspicious/noExplicitAny: items of any kind.
type Item = any;
type Kind = {
  name: string;
  /** Of its search. */
  path: string;
  idOf?: (item: Item) => string;
  /** Creates the one with this number, and answers its id. */
  create(number: number): Promise<string>;
  change?: (id: string) => Promise<unknown>;
};

let service: TestService;
const vehicle = 'DE*ABC*S0';
const other = 'DE*ABC*S1';
const customerId = (number: number) => `7c9e6679-7425-40de-944b-00000000000${number}`;
const driver = (id: string) => ({
  mobilityProviderCountryCode: 'DE',
  mobilityProviderCode: 'MOB',
  customerId: id,
});

beforeAll(async () => {
  service = await startTestService();
  for (const id of [vehicle, other]) {
    await call('PUT', `/${id}`, { information: { evBatteryCapacity: 50 } });
  }
});
afterAll(() => service.stop());

async function call(method: string, path: string, body?: unknown) {
  const answer = await service.call(method, path, body);
  expect(answer.status, `${method} ${path}`).toBeLessThan(300);
  return answer;
}

/** What is created by POST to its list, and changed by PUT. */
function posted(name: string, path: string, body: (title: string) => object): Kind {
  return {
    name,
    path: `${path}/search`,
    create: async (number) => (await call('POST', path, body(`${name} ${number}`))).json.id,
    change: (id) => call('PUT', `${path}/${id}`, body(`${name} ${id}, changed`)),
  };
}

const incident = (title: string) => ({ title, vehicleOperable: true, isResolved: false });
const plan = (title: string) => ({ title, intervalMonths: 12 });
const incidents = posted('incidents of a vehicle', `/${vehicle}/incidents`, incident);
const maintenance = posted('maintenance of a vehicle', `/${vehicle}/maintenance`, plan);

const kinds: Kind[] = [
  {
    name: 'vehicles',
    path: '/vehicles',
    idOf: ({ asset }) => asset.id,
    async create(number) {
      const id = `DE*ABC*N${number}`;
      await call('PUT', `/${id}`, { information: {} });
      return id;
    },
    change: (id) => call('PUT', `/${id}`, { information: { vendor: 'VW' } }),
  },
  {
    name: 'charging history',
    path: `/${vehicle}/charging`,
    async create(number) {
      const id = `CDR-${number}`;
      await call('PUT', `/${vehicle}/charging/${id}`, {
        fromDatetime: `2026-0${number}-01T08:00Z`,
      });
      return id;
    },
    change: (id) =>
      call('PUT', `/${vehicle}/charging/${id}`, { fromDatetime: '2026-01-02T08:00Z' }),
  },
  {
    name: 'databoxes',
    path: '/databoxes/search',
    idOf: ({ serial }) => serial,
    async create(number) {
      await call('PUT', `/databoxes/BX-${number}`, { vehicleId: [other, vehicle][number % 2] });
      return `BX-${number}`;
    },
    change: (id) => call('PUT', `/databoxes/${id}`, { vehicleId: vehicle }),
  },
  {
    name: 'drivers',
    path: `/${vehicle}/drivers/search`,
    idOf: (item) => item.customerId,
    async create(number) {
      return (await call('PUT', `/${vehicle}/drivers`, driver(customerId(number)))).json.customerId;
    },
  },
  {
    name: 'assignments',
    path: `/${other}/assignments`,
    idOf: (item) => item.customer.customerId,
    async create(number) {
      await call('PUT', `/${other}/drivers`, driver(customerId(number)));
      return customerId(number);
    },
    change: (id) => call('DELETE', `/${other}/drivers/DE/MOB/${id}`),
  },
  {
    name: 'users',
    path: '/users',
    idOf: (item) => item.customerId,
    async create(number) {
      const id = customerId(number + 5);
      await call('PUT', `/${vehicle}/drivers`, driver(id));
      return id;
    },
    change: (id) => call('PUT', `/${other}/drivers`, driver(id)),
  },
  maintenance,
  { ...maintenance, name: 'planned maintenance', path: '/maintenance' },
  posted('schedules', '/maintenance-schedules', plan),
  posted('logbook', `/${vehicle}/logbook`, (title) => ({ title, date: '2026-10-28' })),
  posted('checklist', `/${vehicle}/checklist`, (title) => ({ title, type: 'check' })),
  posted('templates', '/checklist-templates', (name) => ({
    name,
    entries: [{ title: 'Tyres', type: 'check' }],
  })),
  incidents,
  { ...incidents, name: 'incidents', path: '/incidents' },
  {
    ...incidents,
    name: 'incidents whose OCR status is set',
    change: (id) => call('POST', `/${vehicle}/incidents/${id}/ocr`, { status: 'MANUAL' }),
  },
  {
    name: 'clients',
    path: '/administration/clients/search',
    create: async (number) =>
      (await call('POST', '/administration/clients', { name: `Client ${number}` })).json.id,
    change: (id) => call('POST', `/administration/clients/${id}/rotate`),
  },
  {
    name: 'people who sign in',
    path: '/administration/users/search',
    create: async (number) =>
      (await call('POST', '/administration/users', { username: `user${number}` })).json.id,
    change: (id) => call('POST', `/administration/users/${id}/reset`),
  },
];

/** Later than all that was written, and earlier than all that will be, to the millisecond. */
async function now(): Promise<string> {
  await wait(3);
  const time = new Date().toISOString();
  await wait(3);
  return time;
}

/** The ids of what was changed within a period, in the order of the changes. */
async function changedIn(
  { path, idOf = ({ id }) => id }: Pick<Kind, 'path' | 'idOf'>,
  from: string,
  to?: string,
): Promise<string[]> {
  const filters = [
    { field: 'updatedAt', operator: 'gte', value: from },
    ...(to === undefined ? [] : [{ field: 'updatedAt', operator: 'lt', value: to }]),
  ];
  const sorting = [{ field: 'updatedAt' }];
  const { json } = await call('POST', path, { filters, sorting });
  return Object.values(json.items as Item[]).map(idOf);
}

test.each(kinds)('$name: each change is found once', async (kind) => {
  const { create, change } = kind;
  const times = [await now()];
  const first = await create(1);
  times.push(await now());
  const second = await create(2);
  times.push(await now());
  await change?.(first);
  times.push(await now());

  const [start = '', made = '', next = '', end = ''] = times;
  expect(await changedIn(kind, made, next)).toEqual([second]);
  expect(await changedIn(kind, next, end)).toEqual(change ? [first] : []);
  expect(await changedIn(kind, end)).toEqual([]);
  expect(await changedIn(kind, start)).toEqual(change ? [second, first] : [first, second]);
});

/** Of the record, which If-Match compares; the rest of an ETag names the representation. */
function versionOf(etag: unknown): string | undefined {
  return /^"(\d+)\./.exec(String(etag))?.[1];
}

const hour = 3_600_000;
const start = Math.floor(Date.now() / hour) * hour - 48 * hour;
const at = (hours: number) => new Date(start + hours * hour).toISOString();

describe('what telemetry and jobs change', () => {
  test('is not the vehicle, and is its charging session as often as that grows', async () => {
    const id = 'DE*ABC*T1';
    await call('PUT', `/${id}`, { information: { evBatteryCapacity: 50 } });
    const sessions = { path: `/${id}/charging` } as const;
    const charge = (hours: number, fuelLevel: number, isCharging = true) =>
      call('PUT', `/${id}/status`, { timestamp: at(hours), isCharging, fuelLevel });
    const version = async () => versionOf((await call('GET', `/${id}`)).headers.etag);
    const unchanged = await version();
    const begun = await now();
    await charge(1, 40);
    const [session = ''] = await changedIn(sessions, begun);
    expect(session).not.toBe('');
    for (const [hours, level, isCharging] of [
      [1.1, 45, true],
      [1.2, 50, false],
    ] as const) {
      const before = await now();
      expect(await changedIn(sessions, before)).toEqual([]);
      await charge(hours, level, isCharging);
      expect(await changedIn(sessions, before)).toEqual([session]);
    }
    const ended = await now();
    await charge(1.2, 50, false);
    await call('PUT', `/${id}/status`, { timestamp: at(20), odometer: 10 });
    expect(await changedIn(sessions, ended)).toEqual([]);

    await call('PUT', `/${id}/charging/mine`, { fromDatetime: at(1), toDatetime: at(2) });
    expect(await changedIn(sessions, ended)).toEqual(['mine']);
    await call('DELETE', `/${id}/charging/mine`);
    expect(await changedIn(sessions, ended)).toEqual([session]);

    const vehicles = {
      path: '/vehicles',
      idOf: ({ asset }: Item) => asset.id,
    } as const;
    expect(await changedIn(vehicles, begun)).toEqual([]);
    expect(await version()).toBe(unchanged);
  });

  test('is a report that follows another schedule, not one that is forecast anew', async () => {
    const id = 'DE*ABC*P1';
    await call('PUT', `/${id}`, { information: { model: 'Only' } });
    const reports = { path: `/${id}/maintenance/search` };
    const schedule = { title: 'Tyres', model: 'Only', intervalDistance: 10_000 };
    await service.runJobs();
    const begun = await now();
    const { json } = await call('POST', '/maintenance-schedules', schedule);
    await service.runJobs();
    const found = await changedIn(reports, begun);
    expect(found).toHaveLength(1);
    const version = async () =>
      versionOf((await call('GET', `/${id}/maintenance/${found[0]}`)).headers.etag);
    // With the first odometer the schedule's first distance is another; with the next, only the forecast is.
    for (const [odometer, changed] of [
      [25_000, found],
      [29_000, []],
    ] as const) {
      const [before, tag] = [await now(), await version()];
      await call('PUT', `/${id}/status`, { timestamp: at(odometer / 1_000), odometer });
      await service.runJobs();
      expect(await changedIn(reports, before), String(odometer)).toEqual(changed);
      expect((await version()) === tag, String(odometer)).toBe(changed.length === 0);
    }
    const [before, tag] = [await now(), await version()];
    await call('PUT', `/maintenance-schedules/${json.id}`, { ...schedule, title: 'New tyres' });
    await service.runJobs();
    expect(await changedIn(reports, before)).toEqual(found);
    expect(await version()).not.toBe(tag);
  });
});
