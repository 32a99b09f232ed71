import type { Motorpool } from '@motorpool/client';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LiveEvents } from './live-events.ts';
import type { StreamState } from './stream-state.ts';

/** A page of a browser, as far as its visibility goes. */
const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
const frame = new EventTarget();
let stop: () => void = () => {};

beforeEach(() => {
  page.visibilityState = 'visible';
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', frame);
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

function show(visibilityState: 'visible' | 'hidden'): void {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event('visibilitychange'));
}

/** A console whose streams open when they are told to. */
function startConsole() {
  const live = new LiveEvents();
  const streams: AbortSignal[] = [];
  const stream = ({ signal }: { signal: AbortSignal }) => {
    streams.push(signal);
    return (async function* () {
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    })();
  };
  const queries = new QueryClient();
  const open = () => streams.filter((signal) => !signal.aborted).length;
  stop = live.start({ events: { stream } } as unknown as Motorpool, queries);
  return { live, queries, open, opened: streams };
}

test('a page has a stream while it is visible', () => {
  const { open } = startConsole();
  expect(open()).toBe(1);
  show('hidden');
  expect(open()).toBe(0);
  show('visible');
  expect(open()).toBe(1);
  stop();
  expect(open()).toBe(0);
  show('visible');
  expect(open()).toBe(0);
});

test('a page that is opened in the background has none', () => {
  page.visibilityState = 'hidden';
  const { open } = startConsole();
  expect(open()).toBe(0);
  show('visible');
  expect(open()).toBe(1);
});

test('a page that is left has none, and opens one when it is gone back to', () => {
  const { open, opened } = startConsole();
  frame.dispatchEvent(new Event('pagehide'));
  expect(open()).toBe(0);
  frame.dispatchEvent(new Event('pageshow'));
  page.dispatchEvent(new Event('visibilitychange'));
  expect(open()).toBe(1);
  expect(opened.length).toBe(2);
});

test('what changed meanwhile is read once the stream is open again', () => {
  const { live, queries } = startConsole();
  const isStale = (key: string) => queries.getQueryState([key, 'one'])?.isInvalidated;
  // What is being edited is not kept by events, and stays as it is.
  for (const key of ['invoice', 'vehicle', 'edited']) queries.setQueryData([key, 'one'], {});
  live.setState('live');
  expect(isStale('invoice')).toBe(false);
  show('hidden');
  show('visible');
  expect(live.state).toBe('connecting');
  expect(isStale('invoice')).toBe(false);
  live.setState('live');
  expect(['invoice', 'vehicle', 'edited'].map(isStale)).toEqual([true, true, false]);
});

test.each<{ states: StreamState[] }>([
  { states: ['connecting'] },
  { states: ['lost'] },
  // A connection that is cut is only told by the next one.
  { states: [] },
])(
  'statuses are read anew once a stream that broke is open again, and the log is resumed: $states',
  ({ states }) => {
    const { live, queries } = startConsole();
    for (const key of ['invoice', 'vehicle']) queries.setQueryData([key, 'one'], {});
    const isStale = (key: string) => queries.getQueryState([key, 'one'])?.isInvalidated;
    live.setState('live');
    expect(['invoice', 'vehicle'].map(isStale)).toEqual([false, false]);
    for (const state of states) live.setState(state);
    live.setState('live');
    expect(['invoice', 'vehicle'].map(isStale)).toEqual([false, true]);
  },
);

test('all is read anew once a stream is open that could not be opened at first', () => {
  const { live, queries } = startConsole();
  queries.setQueryData(['invoice', 'one'], {});
  live.setState('lost');
  live.setState('live');
  expect(queries.getQueryState(['invoice', 'one'])?.isInvalidated).toBe(true);
});

test('what was read in the background is read again when it is first seen', () => {
  page.visibilityState = 'hidden';
  const { live, queries } = startConsole();
  queries.setQueryData(['invoice', 'one'], {});
  show('visible');
  live.setState('live');
  expect(queries.getQueryState(['invoice', 'one'])?.isInvalidated).toBe(true);
});
