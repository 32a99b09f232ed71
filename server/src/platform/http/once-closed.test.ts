import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { onceClosed } from './once-closed.ts';

test('all that waits for a response to close is run in order, by one listener', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const run: number[] = [];
  for (let number = 0; number < 20; number += 1) onceClosed(response, () => void run.push(number));
  expect(response.listenerCount('close')).toBe(1);
  expect(run).toEqual([]);
  response.emit('close');
  expect(run).toEqual(Array.from({ length: 20 }, (_, number) => number));
});

test('where the client has hung up, it is run at once', () => {
  const socket = new Socket();
  const response = new ServerResponse(new IncomingMessage(socket));
  socket.destroy();
  let hasRun = false;
  onceClosed(response, () => {
    hasRun = true;
  });
  expect(hasRun).toBe(true);
});
