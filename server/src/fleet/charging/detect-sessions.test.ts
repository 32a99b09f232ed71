import { expect, test } from 'vitest';
import { instantArray } from '../../platform/db/binary-arrays.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { SubscriberContext } from '../dependencies.ts';
import { detectSessions } from './detect-sessions.ts';

test('the first of the odometers that are judged otherwise is found', async () => {
  const vehicleId = 'DE*ABC*V1';
  const before = { signals: { isCharging: false }, times: { isCharging: 9 } };
  const change = {
    vehicleId,
    before,
    after: before,
    changedMoments: new Map([[2, {}]]),
    judgedOdometers: new Map([[2, { odometer: 1, confirmed: false }]]),
    rejudgedOdometers: [{ first: 1, last: 8 }],
    replanDue: false,
  };
  const asked: (readonly unknown[])[] = [];
  const states = [{ id: vehicleId, state: null, ev_battery_capacity: null, has_tank: false }];
  const query = async (_text: string, values: readonly unknown[]) => {
    asked.push(values);
    return asked.length === 1 ? states : [];
  };
  const context = { tx: { query } as unknown as Queryable } as SubscriberContext;
  await detectSessions({ providerId: 'DE-ABC', changes: [change] }, context);
  expect(asked).toHaveLength(2);
  expect(asked[1]?.[2]).toEqual(instantArray([1]));
});
