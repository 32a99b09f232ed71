import { expect, test } from 'vitest';
import { createStreamRoom } from './stream-room.ts';

function openStreams() {
  const room = createStreamRoom({ ofProvider: 5, ofProcess: 10, reserved: 2 });
  const open = (provider: string) => {
    room.require(provider);
    room.enter(provider);
  };
  return { open, leave: room.leave };
}
const times = (count: number, work: () => void) => {
  for (let time = 0; time < count; time++) work();
};

test('a provider has so many streams open at most, and again when one is closed', () => {
  const { open, leave } = openStreams();
  times(5, () => open('A'));
  expect(() => open('A')).toThrow(/streams of events/);
  leave('A');
  open('A');
});

test('providers that take all streams of a process leave some to every other', () => {
  const { open } = openStreams();
  for (const provider of ['A', 'B']) times(5, () => open(provider));
  for (const provider of ['C', 'D']) {
    times(2, () => open(provider));
    expect(() => open(provider)).toThrow(/streams of events/);
  }
});
