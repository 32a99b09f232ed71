import { expect, test } from 'vitest';
import { createEventStream } from '../http/event-stream.ts';
import { createStreamGroup } from '../http/stream-group.ts';
import { sendToAll } from './send-to-all.ts';

const events = ['A', 'B', 'C'].map((vehicleId) => ({
  type: 'status',
  vehicleId,
  chunk: Buffer.from(vehicleId),
}));

function listener(vehicles = 'ABC') {
  let text = '';
  const chunks: Buffer[] = [];
  const stream = createEventStream(createStreamGroup(1_048_576), () => {});
  stream.readable.on('data', (chunk: Buffer) => {
    text += chunk;
    chunks.push(chunk);
  });
  return {
    stream,
    accepts: ({ vehicleId }: { vehicleId: string | null }) => vehicles.includes(vehicleId ?? ''),
    chunks,
    received: () => ({ text, chunks: chunks.length }),
  };
}

test('every listener gets what it accepts, in one piece', async () => {
  const [all, some, none] = [listener(), listener('AC'), listener('')];
  await sendToAll(new Set([all, some, none]), events);
  await expect.poll(all.received).toEqual({ text: 'ABC', chunks: 1 });
  await expect.poll(some.received).toEqual({ text: 'AC', chunks: 1 });
  expect(none.received().chunks).toBe(0);
});

test('listeners that accept the same share its bytes, and many events come in parts', async () => {
  const [one, same, other] = [listener('AC'), listener('CA'), listener('AB')];
  await sendToAll(new Set([one, other, same]), events);
  await expect.poll(() => same.chunks).toHaveLength(1);
  expect(same.chunks[0]).toBe(one.chunks[0]);
  expect(other.received().text).toBe('AB');
  const large = events.map((event) => ({ ...event, chunk: Buffer.alloc(30_000, event.vehicleId) }));
  const all = listener();
  await sendToAll(new Set([all]), large);
  await expect.poll(() => all.chunks.map(({ length }) => length)).toEqual([60_000, 30_000]);
});

test('others have a turn while many listeners are sent to', async () => {
  const many = Array.from({ length: 200 }, () => listener());
  const isSent = ({ stream }: ReturnType<typeof listener>) => stream.readable.readableDidRead;
  const sending = sendToAll(new Set(many), events);
  await new Promise((resolve) => setImmediate(resolve));
  const sent = many.filter(isSent).length;
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(200);
  await sending;
  await expect.poll(() => many.every((one) => one.received().text === 'ABC')).toBe(true);
});
