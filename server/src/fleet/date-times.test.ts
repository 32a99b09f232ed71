import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/test-service.ts';

let service: TestService;
const vehicle = '/DE*ABC*V1';

beforeAll(async () => {
  service = await startTestService();
  await service.call('PUT', vehicle, { information: { evBatteryCapacity: 50 } });
});
afterAll(() => service.stop());

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const today = new Date().toISOString().slice(0, 10);

/** Each names the same instant, the midnight of today. */
const forms = [
  `${today}T00:00:00Z`,
  `${today}T02:00:00+02`,
  `${today}T02:00:00+0200`,
  `${today}T00:00:00,000Z`,
  `${today}t00:00:00z`,
  `${yesterday}T24:00:00Z`,
  `${yesterday}t24:00:00,0+00`,
];
const midnight = `${today}T00:00:00.000Z`;

type Answer = Awaited<ReturnType<TestService['call']>>;
type Place = {
  name: string;
  write(text: string): Promise<Answer>;
  read(json: Answer['json']): unknown;
};

const incident = { title: 'Scratch', vehicleOperable: true, isResolved: false };
const check = { title: 'Tyres', type: 'check', result: 'pass' };
const places: Place[] = [
  {
    name: 'the timestamp of a message',
    write: (timestamp) => service.call('PUT', `${vehicle}/status`, { timestamp, isLocked: true }),
    read: (json) => json.status.lastUpdated,
  },
  {
    name: 'the time of an incident',
    write: (incidentTimestamp) =>
      service.call('POST', `${vehicle}/incidents`, { ...incident, incidentTimestamp }),
    read: (json) => json.incidentTimestamp,
  },
  {
    name: 'the time of a check',
    write: (performedAt) => service.call('POST', `${vehicle}/checklist`, { ...check, performedAt }),
    read: (json) => json.performedAt,
  },
  {
    name: 'the period of a charging session',
    write: (toDatetime) =>
      service.call('PUT', `${vehicle}/charging/S1`, {
        fromDatetime: `${yesterday}T20:00:00,5+01`,
        toDatetime,
      }),
    read: (json) => json.toDatetime,
  },
  {
    name: 'a filter in a body',
    write: (value) =>
      service.call('POST', '/vehicles', {
        filters: [{ field: 'status.lastUpdated', value }],
      }),
    read: (json) => json.items[0].status.lastUpdated,
  },
  {
    name: 'a filter of a vehicle’s incidents',
    write: (value) =>
      service.call('POST', `${vehicle}/incidents/search`, {
        filters: [{ field: 'incidentTimestamp', operator: 'lte', value }],
      }),
    read: (json) => json.items[0].incidentTimestamp,
  },
];

describe.each(places)('in $name', ({ write, read }) => {
  test('every form of ISO 8601 with an offset names its instant', async () => {
    for (const form of forms) {
      const { status, json } = await write(form);
      expect(status, form).toBeLessThan(300);
      expect(read(json), form).toBe(midnight);
    }
  });

  test('one without an offset is refused, and the reason is given', async () => {
    const { status, json } = await write(`${today}T00:00:00`);
    expect(status).toBe(400);
    expect(json.detail).toContain('has no offset from UTC');
  });
});

test('the period of a history takes them as well', async () => {
  for (const from of forms) {
    const body = { from: `${yesterday}T00:00:00,0+00`, to: from, resolution: 'raw' };
    expect((await service.call('POST', `${vehicle}/history`, body)).status).toBe(200);
  }
});

test('so does the expiry of a client', async () => {
  const { status, json } = await service.call('POST', '/administration/clients', {
    name: 'until',
    role: 'viewer',
    expiresAt: '2098-12-31t24:00:00,0+00',
  });
  expect([status, json.client?.expiresAt ?? json.expiresAt]).toEqual([
    201,
    '2099-01-01T00:00:00.000Z',
  ]);
});
