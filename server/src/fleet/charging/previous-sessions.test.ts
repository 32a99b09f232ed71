import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Queryable } from '../../platform/db/database.ts';
import { type PreviousSession, RemovedSessions, replaceSessions } from './previous-sessions.ts';
import type { DetectedSession } from './session-store.ts';

type Written = { from_time: string; id?: string };

/** Replaces sessions, in parts if so told; returns the ids that were deleted, and what each statement wrote. */
async function replace(
  previousSessions: readonly PreviousSession[],
  detected: readonly DetectedSession[],
  { inParts = false } = {},
) {
  const deleted: string[] = [];
  const written: Written[][] = [];
  const query = async (text: string, values: readonly unknown[]) => {
    if (text.startsWith('delete')) deleted.push(...(values[2] as string[]));
    else written.push(JSON.parse(values[1] as string));
    return [];
  };
  const of = {
    tx: { query } as unknown as Queryable,
    clock: { now: () => new Date(0) },
    providerId: 'DE-ABC',
    vehicleId: 'DE*ABC*V1',
    openFrom: undefined,
  };
  const starts = new Set(detected.map(({ from }) => from));
  const kept = new Set(previousSessions.map(({ from }) => from));
  const waiting = previousSessions.filter(({ from }) => !starts.has(from));
  const removed = new RemovedSessions();
  const withIds: DetectedSession[] = [];
  const passTo = (time: number) => {
    for (let [next] = waiting; next && next.from <= time; [next] = waiting) {
      removed.add(next);
      waiting.shift();
    }
  };
  for (const [index, session] of detected.entries()) {
    const { from, to = Number.POSITIVE_INFINITY } = session;
    const time = Math.min(to, detected[index + 1]?.from ?? Number.POSITIVE_INFINITY);
    if (inParts && time < Number.POSITIVE_INFINITY) {
      passTo(time);
      await replaceSessions(of, removed.takeDeleted({ time, openFrom: from }), []);
    }
    passTo(to);
    withIds.push(kept.has(from) ? session : { ...session, id: removed.takeOver(session) });
  }
  passTo(Number.POSITIVE_INFINITY);
  await replaceSessions(of, removed.takeDeleted(), withIds);
  return { deleted, written };
}

const previousOf = (from: number, to = Number.POSITIVE_INFINITY): PreviousSession => ({
  id: `previous ${from}`,
  from,
  to,
  overAt: to,
});
const detectedOf = (from: number, to?: number): DetectedSession => ({
  vehicleId: 'DE*ABC*V1',
  from,
  ...(to !== undefined && { to }),
  energyBasis: 'estimated',
});

// Each session begins at another time; an earlier release may have told some that overlap.
const periods = fc
  .uniqueArray(
    fc.record({
      from: fc.integer({ min: 0, max: 30 }),
      length: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined, freq: 8 }),
    }),
    { selector: ({ from }) => from, maxLength: 12 },
  )
  .map((drawn) =>
    drawn
      .toSorted((a, b) => a.from - b.from)
      .map(({ from, length }) => ({ from, to: length === undefined ? undefined : from + length })),
  );

test('a session that begins at another time takes over the id of the first that it overlaps and no other took', async () => {
  await fc.assert(
    fc.asyncProperty(periods, periods, fc.boolean(), async (before, after, inParts) => {
      const previousSessions = before.map(({ from, to }) => previousOf(from, to));
      const starts = new Set(after.map(({ from }) => from));
      const removed = previousSessions.filter(({ from }) => !starts.has(from));
      const available = new Set(removed);
      const expected = after.map(({ from, to = Number.POSITIVE_INFINITY }) => {
        const isKept = before.some((previous) => previous.from === from);
        const first = [...available].find((one) => one.from <= to && from <= one.to);
        if (isKept || !first) return [from, undefined];
        available.delete(first);
        return [from, first.id];
      });
      const { deleted, written } = await replace(
        previousSessions,
        after.map(({ from, to }) => detectedOf(from, to)),
        { inParts },
      );
      expect(new Set(deleted)).toEqual(new Set([...available].map(({ id }) => id)));
      expect(deleted).toHaveLength(available.size);
      const all = written.flat().map(({ from_time, id }) => [Date.parse(from_time), id] as const);
      expect(all.toSorted(([a], [b]) => a - b)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test('of many sessions, each is compared with few, and a part is written at a time', async () => {
  const count = 2_500;
  let compared = 0;
  const previousSessions = Array.from({ length: count }, (_, index) => ({
    ...previousOf(index * 10),
    get to() {
      compared += 1;
      return index * 10 + 3;
    },
  }));
  const detected = Array.from({ length: count }, (_, index) =>
    detectedOf(index * 10 + 5, index * 10 + 8),
  );
  const { deleted, written } = await replace(previousSessions, detected);
  expect(deleted).toHaveLength(count);
  expect(compared).toBeLessThan(5 * count);
  expect(written.map((rows) => rows.length)).toEqual([1_000, 1_000, 500]);
  expect(written.flat().map(({ from_time }) => Date.parse(from_time))).toEqual(
    detected.map(({ from }) => from),
  );
});
