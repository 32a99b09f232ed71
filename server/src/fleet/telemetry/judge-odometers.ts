import type { OdometerStore } from './odometer-store.ts';
import { type ChangedOdometers, type JudgedOdometers, OdometerWalk } from './odometer-walk.ts';

// Of all walks that are read and written together. Others are served between statements.
const maxReadings = 4_096;
const firstPage = 8;

/** Judges the readings that changed, and those after them as far as they are affected, and marks them in the history. */
export async function judgeOdometers(
  store: OdometerStore,
  vehicles: readonly ChangedOdometers[],
  /** Readings, of all walks together; the rest is deferred (docs/decisions/0034-plausible-telemetry.md). */
  limit = 50_000,
): Promise<Map<string, JudgedOdometers>> {
  const walks = vehicles.map((vehicle) => new OdometerWalk(vehicle));
  const writeMarks = (some: readonly OdometerWalk[]) =>
    store.mark(some.flatMap((walk) => walk.takeMarks()));
  let left = limit;
  for (let count = firstPage; ; count = left > 0 ? Math.min(count * 8, maxReadings) : firstPage) {
    const unknown = walks.filter((walk) => walk.from !== undefined && !walk.state);
    const states = await readFrom(unknown, store.readStates);
    for (const [index, walk] of unknown.entries()) walk.begin(states[index] ?? {});
    const open = walks.filter((walk) => walk.from !== undefined);
    if (open.length === 0) break;
    const groupSize = Math.floor(maxReadings / count);
    for (let first = 0; first < open.length; first += groupSize) {
      const group = open.slice(first, first + groupSize);
      const pages = await readFrom(group, (keys) => store.readFrom(keys, count));
      for (const [index, walk] of group.entries()) {
        const page = pages[index] ?? [];
        walk.continue(page, count);
        left -= page.length;
      }
      await writeMarks(group);
    }
    if (left <= 0) for (const walk of open) walk.defer();
  }
  await writeMarks(walks);
  await findStatuses(store, walks);
  return new Map(walks.map(({ vehicle, judged }) => [vehicle.vehicleId, judged]));
}

/** Of walks that have not reached the end, and after which the reading of the status is in doubt: it must be one that is not. */
async function findStatuses(store: OdometerStore, walks: readonly OdometerWalk[]): Promise<void> {
  const lost = walks.filter(({ isStatusDoubted, judged }) => isStatusDoubted && !judged.last);
  if (lost.length === 0) return;
  const keys = lost.map(({ vehicle: { vehicleId, newest } }) => ({ vehicleId, time: newest + 1 }));
  const states = await store.readStates(keys);
  for (const [index, { judged }] of lost.entries()) {
    const state = states[index];
    if (state?.undoubted) judged.last = state;
  }
}

async function readFrom<Row>(
  walks: readonly OdometerWalk[],
  read: (keys: { vehicleId: string; time: number }[]) => Promise<Row[]>,
): Promise<Row[]> {
  if (walks.length === 0) return [];
  return read(walks.map(({ vehicle: { vehicleId }, from = 0 }) => ({ vehicleId, time: from })));
}
