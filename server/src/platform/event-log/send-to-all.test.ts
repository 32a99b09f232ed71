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
  let chunks = 0;
  const stream = createEventStream(createStreamGroup(67_108_864), () => {});
  stream.readable.on('data', (chunk: Buffer) => {
    text += chunk;
    chunks += 1;
  });
  return {
    stream,
    accepts: ({ vehicleId }: { vehicleId: string | null }) => vehicles.includes(vehicleId ?? ''),
    received: () => ({ text, chunks }),
  };
}

test('every listener gets what it accepts, in one piece', async () => {
  const [all, some, none] = [listener(), listener('AC'), listener('')];
  await sendToAll(new Set([all, some, none]), events);
  await expect.poll(all.received).toEqual({ text: 'ABC', chunks: 1 });
  await expect.poll(some.received).toEqual({ text: 'AC', chunks: 1 });
  expect(none.received().chunks).toBe(0);
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
