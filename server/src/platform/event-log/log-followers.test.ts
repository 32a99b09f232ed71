import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createEventStream, eventChunk } from '../http/event-stream.ts';
import { createStreamGroup } from '../http/stream-group.ts';
import { createLogFollowers, type LogListener, type NumberedEvent } from './log-followers.ts';

const provider = 'DE-ABC';

/** A log in memory, of events of a size. */
function memoryLog(bytes = 10) {
  const events: NumberedEvent[] = [];
  let reads = 0;
  let rendered = 0;
  return {
    append(count: number) {
      for (let index = 0; index < count; index += 1) {
        const number = events.length + 1;
        const chunk = eventChunk({ id: String(number), data: 'x'.repeat(bytes) });
        events.push({ number, type: number % 2 ? 'odd' : 'even', vehicleId: null, chunk });
      }
    },
    reads: () => reads,
    rendered: () => rendered,
    async read(_provider: string, position: number, accepts: LogListener['accepts'] = () => true) {
      reads += 1;
      const page = events.slice(position, position + 10);
      await new Promise((resolve) => setTimeout(resolve, 1));
      const end = page.at(-1)?.number ?? position;
      const accepted = page.filter(accepts);
      rendered += accepted.length;
      return { events: accepted, position: end, hasMore: end < events.length };
    },
  };
}

function listener(position = 0, accepts: LogListener['accepts'] = () => true) {
  let text = '';
  let chunks = 0;
  const stream = createEventStream(createStreamGroup(67_108_864), () => {});
  return {
    stream,
    position,
    accepts,
    readAll() {
      stream.readable.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        chunks += 1;
      });
      return this;
    },
    chunks: () => chunks,
    ids: () => [...text.matchAll(/id: (\d+)/g)].map(([, id]) => Number(id)),
  };
}

const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('of what one has missed, what it does not accept is not rendered; nor does anything of the following get lost', async () => {
  const log = memoryLog();
  const followers = createLogFollowers(log.read);
  log.append(45);
  const none = listener(0, () => false).readAll();
  await followers.add(provider, none);
  expect(log.rendered()).toBe(0);
  const even = listener(0, ({ type }) => type === 'even').readAll();
  await followers.add(provider, even);
  expect(log.rendered()).toBe(22);
  log.append(5);
  await expect.poll(() => even.ids()).toEqual(upTo(50).filter((id) => id % 2 === 0));
  expect(none.ids()).toEqual([]);
  for (const one of [none, even]) followers.remove(provider, one);
});

test('listeners that come at any time and from any position get each event behind it once, in order', async () => {
  const log = memoryLog();
  const followers = createLogFollowers(log.read);
  log.append(45);
  const all = listener().readAll();
  const late = listener(30).readAll();
  const adding = [followers.add(provider, all), followers.add(provider, late)];
  log.append(20);
  const newest = listener(60).readAll();
  adding.push(followers.add(provider, newest));
  await Promise.all(adding);
  log.append(25);
  await expect.poll(() => all.ids()).toEqual(upTo(90));
  await expect.poll(() => late.ids()).toEqual(upTo(90, 31));
  await expect.poll(() => newest.ids()).toEqual(upTo(90, 61));
  for (const one of [all, late, newest]) followers.remove(provider, one);
});

test('a listener is sent what it accepts, and its position moves on with the rest', async () => {
  const log = memoryLog();
  const followers = createLogFollowers(log.read);
  const odd = listener(0, ({ type }) => type === 'odd').readAll();
  await followers.add(provider, odd);
  log.append(10);
  await expect.poll(() => odd.position).toBe(10);
  expect(odd.ids()).toEqual([1, 3, 5, 7, 9]);
  followers.remove(provider, odd);
});

test('one that does not read is closed, with little kept for it, and the others get everything', async () => {
  const log = memoryLog(200_000);
  const followers = createLogFollowers(log.read);
  const stalled = listener();
  const other = listener().readAll();
  await Promise.all([followers.add(provider, stalled), followers.add(provider, other)]);
  log.append(30);
  await expect.poll(() => stalled.stream.readable.destroyed).toBe(true);
  await expect.poll(() => other.ids()).toEqual(upTo(30));
  expect(stalled.stream.readable.readableLength).toBeLessThan(1_500_000);
  followers.remove(provider, stalled);
  followers.remove(provider, other);
});

test('a thousand listeners are served by one reader, which ends with the last of them', async () => {
  const log = memoryLog();
  const followers = createLogFollowers(log.read);
  const many = Array.from({ length: 1_000 }, () => listener().readAll());
  for (const one of many) await followers.add(provider, one);
  const before = log.reads();
  log.append(10);
  await expect.poll(() => many.every((one) => one.ids().length === 10)).toBe(true);
  expect(log.reads() - before).toBeLessThan(50);
  for (const one of many) followers.remove(provider, one);
  const after = log.reads();
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(log.reads() - after).toBeLessThanOrEqual(1);
});

test('a page is sent to each listener in one piece, and others have a turn between them', async () => {
  const log = memoryLog();
  const followers = createLogFollowers(log.read);
  const many = Array.from({ length: 200 }, () => listener().readAll());
  for (const one of many) await followers.add(provider, one);
  log.append(10);
  const behind = [many.length];
  while (behind.at(-1) !== 0) {
    await setImmediate();
    behind.push(many.filter(({ position }) => position < 10).length);
  }
  expect(new Set(behind).size).toBeGreaterThan(2);
  await expect.poll(() => many.every((one) => one.ids().length === 10)).toBe(true);
  expect(many.filter((one) => one.chunks() > 1)).toEqual([]);
  for (const one of many) followers.remove(provider, one);
});

test.each([1, 60])(
  'listeners that join while %i others are sent to get each event behind their position once, in order',
  async (count) => {
    const log = memoryLog();
    const followers = createLogFollowers(log.read);
    const joined: { one: ReturnType<typeof listener>; first: number }[] = [];
    const adding: Promise<void>[] = [];
    const join = (position: number) => {
      const one = listener(position).readAll();
      joined.push({ one, first: position + 1 });
      adding.push(followers.add(provider, one));
    };
    const joinNow = (position: number) => {
      join(position);
      adding.push(Promise.resolve().then(() => join(position)));
      adding.push(setImmediate().then(() => join(position)));
    };
    const some = Array.from({ length: count }, (_, index) => {
      let isFirst = true;
      return listener(0, () => {
        if (isFirst) joinNow(index % 2 ? 10 : 0);
        isFirst = false;
        return true;
      }).readAll();
    });
    for (const one of some) await followers.add(provider, one);
    log.append(15);
    await expect.poll(() => joined.length).toBe(3 * count);
    await Promise.all(adding);
    log.append(5);
    await expect.poll(() => joined.every(({ one }) => one.ids().at(-1) === 20)).toBe(true);
    for (const one of some) expect(one.ids()).toEqual(upTo(20));
    for (const { one, first } of joined) expect(one.ids()).toEqual(upTo(20, first));
    for (const one of [...some, ...joined.map(({ one }) => one)]) followers.remove(provider, one);
  },
);

test('however many listeners of a provider catch up, and come and go, those of another wait for none of them', async () => {
  const log = memoryLog();
  log.append(20);
  const blocked = Promise.withResolvers<void>();
  let reads = 0;
  const followers = createLogFollowers(async (id, position) => {
    if (id === 'DE-BSY') {
      reads += 1;
      await blocked.promise;
    }
    return log.read(id, position);
  });
  const many = Array.from({ length: 100 }, () => listener());
  const adding = many.map((one) => followers.add('DE-BSY', one));
  const other = listener().readAll();
  await followers.add(provider, other);
  await expect.poll(() => other.ids()).toEqual(upTo(20));
  for (const { stream } of many) stream.readable.destroy();
  blocked.resolve();
  await Promise.all(adding);
  expect(reads).toBeLessThan(10);
  followers.remove(provider, other);
});

test('few pages wait for listeners that have missed something and do not read, and these are closed', async () => {
  const chunk = eventChunk({ id: '1', data: 'x'.repeat(100_000) });
  const many = Array.from({ length: 8 }, () => listener());
  const isClosed = ({ stream }: Pick<LogListener, 'stream'>) => stream.readable.destroyed;
  const inMemory: number[] = [];
  const followers = createLogFollowers(
    async () => {
      inMemory.push(inMemory.length + 1 - many.filter(isClosed).length);
      const events = [{ number: 1, type: 'odd', vehicleId: null, chunk }];
      return { events, position: 1, hasMore: true };
    },
    { partMs: 20 },
  );
  await Promise.all(many.map((one) => followers.add(provider, one)));
  expect(many.every(isClosed)).toBe(true);
  expect(inMemory).toHaveLength(8);
  expect(Math.max(...inMemory)).toBe(4);
});

test('a stream that has ended is closed, also when its client does not read', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { stream } = listener();
  stream.send(Buffer.from('x'));
  stream.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stream.readable.destroyed).toBe(true);
});
