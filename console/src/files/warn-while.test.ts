import { expect, test } from 'vitest';
import { warnWhile } from './warn-while.ts';

test('closing the tab is warned of until all work has ended, or failed', async () => {
  const tab = new EventTarget();
  const isWarned = () => !tab.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  expect(isWarned()).toBe(false);
  const both = [warnWhile(first.promise, tab), warnWhile(second.promise, tab)] as const;
  expect(isWarned()).toBe(true);
  first.resolve('sent');
  expect(await both[0]).toBe('sent');
  expect(isWarned()).toBe(true);
  second.reject(new Error('refused'));
  await expect(both[1]).rejects.toThrow('refused');
  expect(isWarned()).toBe(false);
});
