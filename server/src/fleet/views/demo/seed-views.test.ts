import { expect, test } from 'vitest';
import { viewIssues } from '../saved-view.ts';
import { demoViews } from './seed-views.ts';

test.each(demoViews)('the view “$name” of the demo is one that could be saved', (view) => {
  expect(viewIssues(view)).toEqual([]);
});
