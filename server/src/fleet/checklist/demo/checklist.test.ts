import { describe, expect, test } from 'vitest';
import { compileValidator } from '../../../platform/http/validation.ts';
import { demoScope } from '../../../testing/demo-scope.ts';
import type { DemoVehicle, OfVehicle } from '../../vehicles/public.ts';
import { type ChecklistEntry, ChecklistEntrySchema } from '../checklist-entry.ts';
import { itemIssues } from '../checklist-item.ts';
import { ChecklistTemplateRequestSchema } from '../checklist-template.ts';
import { checklists, handoverTemplate } from './checklist.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const german = demoScope('DE', now);
const french = demoScope('FR', now);
const ofGermany = checklists(german);
const ofFrance = checklists(french);
const recordsOf = (all: readonly OfVehicle<ChecklistEntry>[]) =>
  all.map(({ vehicle, entry }) => [vehicle.asset.id, entry]);

function byVehicle(all: readonly OfVehicle<ChecklistEntry>[]): Map<DemoVehicle, ChecklistEntry[]> {
  const groups = Map.groupBy(all, ({ vehicle }) => vehicle);
  return new Map([...groups].map(([vehicle, group]) => [vehicle, group.map(({ entry }) => entry)]));
}

describe('the checklists', () => {
  test('are made from the template, in its order', () => {
    for (const scope of [german, french]) {
      const template = handoverTemplate(scope.provider.id);
      expect(template.name).toBe('Handover');
      expect(template.entries).toHaveLength(10);
      for (const [, entries] of byVehicle(checklists(scope))) {
        expect(
          entries.map(({ title, type, options, required }) => ({ title, type, options, required })),
        ).toEqual(template.entries.map((item) => ({ options: undefined, ...item })));
        expect(entries.map(({ position }) => position)).toEqual(entries.map((_, index) => index));
      }
    }
    expect(byVehicle(ofGermany).size).toBe(30);
    expect(byVehicle(ofFrance).size).toBe(3);
  });

  test('are mostly done, with every result among them, and some are still due', () => {
    const entries = ofGermany.map(({ entry }) => entry);
    for (const result of ['pass', 'flag', 'fail']) {
      expect(entries.filter((entry) => entry.result === result).length).toBeGreaterThan(2);
    }
    const due = entries.filter(({ dueDate }) => dueDate !== undefined);
    expect(due.length).toBeGreaterThan(10);
    expect(due.length).toBeLessThan(entries.length / 3);
    for (const { result, value, performedAt, dueDate } of entries) {
      const done = dueDate === undefined;
      expect([result, value, performedAt].every((one) => (one !== undefined) === done)).toBe(true);
    }
  });

  test('are the same for the same moment, and repeat no id', () => {
    const again = checklists(demoScope('DE', new Date(now)));
    expect(recordsOf(again)).toEqual(recordsOf(ofGermany));
    const ids = [...ofGermany, ...ofFrance].map(({ entry }) => entry.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(['2026-02-28T23:59:59.000Z', '2027-06-01T00:00:00.000Z', '2028-03-01T12:00:00.000Z'])(
    'are as many on %s',
    (moment) => {
      expect(byVehicle(checklists(demoScope('DE', new Date(moment)))).size).toBe(30);
    },
  );

  test('fit the schemas of the interface', () => {
    const issuesOf = compileValidator(ChecklistEntrySchema);
    for (const { entry } of [...ofGermany, ...ofFrance]) {
      expect(issuesOf(entry)).toEqual([]);
      expect(itemIssues(entry, '')).toEqual([]);
    }
    const templateIssuesOf = compileValidator(ChecklistTemplateRequestSchema);
    expect(templateIssuesOf(handoverTemplate(german.provider.id))).toEqual([]);
  });
});
