import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createStreamRoom } from './stream-room.ts';

function openStreams() {
  const room = createStreamRoom({
    ofProvider: 5,
    ofClient: 3,
    ofProcess: 10,
    reserved: 2,
    waitingBytes: 1_000,
  });
  let clients = 0;
  return (provider: string, client = `${provider} ${clients++}`) => {
    room.require(provider, client);
    const closed = Promise.withResolvers<void>();
    const stream = room.open(provider, client, closed.resolve);
    return { ...stream, closed: closed.promise };
  };
}
const times = (count: number, work: () => void) => {
  for (let time = 0; time < count; time++) work();
};

test('a provider has so many streams open at most, and again when one is closed', async () => {
  const open = openStreams();
  const { readable, closed } = open('A');
  times(4, () => open('A'));
  expect(() => open('A')).toThrow(/streams of events/);
  readable.destroy();
  await closed;
  open('A');
});

test('a client has a part of those of its provider at most, and leaves the rest to others', async () => {
  const open = openStreams();
  const { readable, closed } = open('A', 'one');
  times(2, () => open('A', 'one'));
  expect(() => open('A', 'one')).toThrow(/A client may have 3 streams of events/);
  open('A', 'another');
  readable.destroy();
  await closed;
  open('A', 'one');
});

test('providers that take all streams of a process leave some to every other', () => {
  const open = openStreams();
  for (const provider of ['A', 'B']) times(5, () => open(provider));
  for (const provider of ['C', 'D']) {
    times(2, () => open(provider));
    expect(() => open(provider)).toThrow(/streams of events/);
  }
});

test('of what the clients of a provider do not read, so much waits: the one that most waits for is closed, and leaves room', async () => {
  const open = openStreams();
  const [slow, slower, reader] = [open('A'), open('A'), open('A')];
  const other = open('B');
  reader.readable.on('data', () => {});
  await setImmediate();
  for (const { send } of [slow, reader, other]) expect(send(Buffer.alloc(400))).toBe(true);
  expect(slower.send(Buffer.alloc(600))).toBe(true);
  expect(slow.send(Buffer.alloc(1))).toBe(true);
  expect(slower.send(Buffer.alloc(1))).toBe(false);
  await slower.closed;
  expect(slow.send(Buffer.alloc(599))).toBe(true);
  expect(reader.send(Buffer.alloc(900))).toBe(true);
  expect(other.send(Buffer.alloc(600))).toBe(true);
  expect([slow, reader, other].map(({ readable }) => readable.destroyed)).toEqual(
    Array(3).fill(false),
  );
});

test('one that is sent more than may wait for all is closed itself, and the others go on', async () => {
  const open = openStreams();
  const [one, other] = [open('A'), open('A')];
  expect(other.send(Buffer.alloc(300))).toBe(true);
  expect(one.send(Buffer.alloc(701))).toBe(false);
  await one.closed;
  expect(other.send(Buffer.alloc(700))).toBe(true);
  times(4, () => open('A'));
  expect(() => open('A')).toThrow(/streams of events/);
});
