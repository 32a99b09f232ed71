import { expect, test } from 'vitest';
import {
  compareDrafts,
  type Draft,
  differentDraftFields,
  draftOf,
  mergeDrafts,
} from './incident-draft.ts';

const base: Draft = { title: 'Scrape', vehicleOperable: true, isResolved: false, notes: 'Quote' };
const damage = {
  title: 'Scratch',
  damageType: 'scratch',
  severity: 'light',
  repaired: false,
  position: 'antenna',
} as const;

test('what is empty is absent, and what the service adds is left out', () => {
  const read = { ...base, id: 'x', ocrStatus: 'PROCESSED', reportTimestamp: 'now' } as const;
  expect(draftOf({ ...read, cause: '', damages: [] })).toEqual(base);
});

test('what one side alone has changed is suggested, and what both have changed is asked for', () => {
  const mine = { ...base, title: 'Scrape at a bollard', notes: 'Mine' };
  const theirs = { ...base, damages: [damage], notes: 'Theirs' };
  expect(compareDrafts(base, mine, theirs)).toEqual([
    { field: 'title', suggested: 'mine' },
    { field: 'notes', suggested: undefined },
    { field: 'damages', suggested: 'theirs' },
  ]);
  expect(compareDrafts(base, mine, mine)).toEqual([]);
});

test('a choice for each field makes one incident of both', () => {
  const mine = { ...base, title: 'Scrape at a bollard', notes: 'Mine' };
  const { notes: _, ...rest } = base;
  const theirs = { ...rest, damages: [damage] };
  expect(mergeDrafts(mine, theirs, { title: 'mine', notes: 'theirs', damages: 'theirs' })).toEqual({
    ...rest,
    title: 'Scrape at a bollard',
    damages: [damage],
  });
  expect(differentDraftFields(mergeDrafts(mine, theirs, { notes: 'mine' }), theirs)).toEqual([
    'notes',
  ]);
});
