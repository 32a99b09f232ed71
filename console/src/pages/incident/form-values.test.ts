import { expect, test } from 'vitest';
import { draftOfForm, emptyForm, formIssues, formValuesOf } from './form-values.ts';

const kinds = { parking: 'Parkschaden' };
const incident = {
  id: 'f7f0c3a4-0000-4000-8000-000000000000',
  ocrStatus: 'NOT_STARTED',
  reportTimestamp: '2027-03-01T10:00:00.000Z',
  title: 'Scrape',
  vehicleOperable: true,
  isResolved: false,
  incidentTimestamp: '2027-03-01T08:30:15.250Z',
  incidentType: 'parking',
  notes: 'Quote',
} as const;

test('an incident that nobody has changed is sent back as it was, to the millisecond', () => {
  const values = formValuesOf(incident, kinds);
  expect(values.kind).toBe('Parkschaden');
  const { id: _, ocrStatus: __, reportTimestamp: ___, ...draft } = incident;
  expect(draftOfForm(values, kinds, incident)).toEqual(draft);
});

test('what the form does not show is kept, and what is emptied is left out', () => {
  const damage = {
    title: 'Scratch',
    damageType: 'scratch',
    severity: 'light',
    repaired: false,
    position: 'antenna',
  } as const;
  const values = { ...formValuesOf(incident, kinds), notes: ' ', kind: 'hail', happened: '' };
  expect(draftOfForm(values, kinds, { ...incident, damages: [damage] })).toEqual({
    title: 'Scrape',
    vehicleOperable: true,
    isResolved: false,
    incidentType: 'hail',
    damages: [damage],
  });
});

test('a form needs a title, and a time that has passed', () => {
  const now = Date.parse('2027-03-01T12:00:00Z');
  expect(formIssues(emptyForm, now)).toEqual({ title: 'required' });
  const filled = { ...emptyForm, title: 'Scrape' };
  expect(formIssues(filled, now)).toEqual({});
  expect(formIssues({ ...filled, happened: '2027-03-05T12:00' }, now)).toEqual({
    happened: 'future',
  });
  expect(formIssues({ ...filled, happened: 'noon' }, now)).toEqual({ happened: 'noTime' });
  expect(formIssues({ ...filled, notes: 'x'.repeat(10_001) }, now)).toEqual({ notes: 'tooLong' });
});
