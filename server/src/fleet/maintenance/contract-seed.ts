import type { ContractSeed } from '../../testing/contract/seed.ts';
import { exampleRequest } from './maintenance-report.ts';
import { exampleScheduleRequest } from './maintenance-schedule.ts';

const weeksAgo = new Date(Date.now() - 700 * 3_600_000).toISOString().slice(0, 10);

export const seed: ContractSeed = {
  needs: ['vehicleId', 'inspectionReportId'],
  async create({ values: { vehicleId }, call }) {
    const schedule = await call('POST', '/maintenance-schedules', exampleScheduleRequest);
    // Without a make: for all vehicles.
    await call('POST', '/maintenance-schedules', { title: 'Tyres', intervalDistance: 15_000 });
    const report = await call('POST', `/${vehicleId}/maintenance`, exampleRequest);
    const once = { title: 'Winter tyres', type: 'tyres', dueDate: '2026-11-30' };
    const { id: reportOnceId } = await call('POST', `/${vehicleId}/maintenance`, once);
    return { scheduleId: schedule.id, reportId: report.id, reportOnceId };
  },
  requests: {
    completeMaintenance: [
      { values: { reportId: '{reportOnceId}' }, body: {}, status: 204 },
      { values: { reportId: '{inspectionReportId}' }, body: {} },
      { body: { date: weeksAgo, files: [{ filename: 'invoice.pdf' }, { filename: 'photo.png' }] } },
    ],
  },
};
