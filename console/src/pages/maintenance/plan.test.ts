import type { MaintenanceReport } from '@motorpool/client';
import { expect, test } from 'vitest';
import { changedReport, planOf, requestOf } from './plan.ts';

const report: MaintenanceReport = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  vehicleId: 'DE*ABC*V1',
  title: 'Yearly service',
  type: 'service',
  source: 'manual',
  status: 'planned',
  dueDate: '2027-05-17',
  dueOdometer: 45_000,
  intervalMonths: 12,
  intervalDistance: 15_000,
  lastDoneDate: '2026-05-17',
  notes: 'Bring the summer tyres',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

test('a field of planned maintenance that is cleared is not sent as it was', () => {
  for (const field of [
    'dueDate',
    'dueOdometer',
    'intervalMonths',
    'intervalDistance',
    'notes',
  ] as const) {
    const { [field]: _, ...rest } = report;
    expect(changedReport(report, { ...planOf(report), [field]: undefined })).toEqual(rest);
  }
});

test('what is not planned by people stays', () => {
  expect(changedReport(report, planOf(report))).toEqual(report);
  expect(changedReport(report, { ...planOf(report), title: 'Service' })).toEqual({
    ...report,
    title: 'Service',
  });
});

test('a new plan has the fields that were filled', () => {
  expect(requestOf({ title: 'Wash', dueDate: '2027-05-17', notes: undefined })).toStrictEqual({
    title: 'Wash',
    dueDate: '2027-05-17',
  });
});
