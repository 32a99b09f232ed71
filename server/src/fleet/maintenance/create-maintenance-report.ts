import { etagOf } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { readCalendar, todayOf } from '../profile/public.ts';
import { lockVehicles, vehicleIdParameter } from '../vehicles/public.ts';
import {
  dueIssues,
  etagHeader,
  exampleReport,
  exampleRequest,
  MaintenanceReportRequestSchema,
  MaintenanceReportSchema,
  maxReportsOfVehicle,
  reportIssues,
} from './maintenance-report.ts';
import { currentOdometer, readReport, writtenColumns, writtenValues } from './maintenance-store.ts';
import { withDefaultDue } from './planning/due.ts';
import { refreshMaintenance } from './refresh-maintenance.ts';

export const createMaintenanceReport = operation({
  id: 'createMaintenanceReport',
  method: 'POST',
  path: '/{vehicleId}/maintenance',
  tag: 'Maintenance',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Plan maintenance for a vehicle',
  description:
    'Adds a report to the plan. It is due on a day, at an odometer, or at whichever comes first. With an interval it comes round ' +
    'again each time that it is done; where an interval is given and not when it is due, it is due an interval after the ' +
    'last time, or, when no last time is given, an interval from today and from the odometer as it is.',
  parameters: vehicleIdParameter,
  body: {
    schema: MaintenanceReportRequestSchema,
    required: true,
    rules: (body, context) => [...reportIssues(body, context), ...dueIssues(body)],
    today: todayOf,
    examples: {
      service: { summary: 'A service that comes round', value: exampleRequest },
      tyres: {
        summary: 'Once, on a day',
        value: { title: 'Winter tyres', type: 'tyres', dueDate: '2026-11-30' },
      },
      interval: {
        summary: 'Every two years from now on',
        value: { title: 'Brake fluid', intervalMonths: 24 },
      },
    },
  },
  responses: {
    201: {
      description: 'The report, new.',
      schema: MaintenanceReportSchema,
      example: exampleReport,
      headers: { Location: 'The path of the report.', ...etagHeader },
    },
  },
  notFound: ['vehicle'],
  problems: { 409: 'The vehicle has as many open reports as may be planned by hand.' },
  async handler({ provider, parameters: { vehicleId }, body }, { db, clock }: Dependencies) {
    const now = clock.now();
    const { today } = await readCalendar(db, provider.id, now);
    return db.transaction(async (tx) => {
      const locked = await lockVehicles(tx, provider.id, [vehicleId]);
      if (locked.length === 0) throw notFound('vehicle');
      const odometer = await currentOdometer(tx, provider, vehicleId);
      const request = withDefaultDue(body, odometer, today);
      const [created] = await tx.query<{ id: string }>(insertReport, [
        provider.id,
        vehicleId,
        now,
        maxReportsOfVehicle,
        ...writtenValues(request),
      ]);
      if (!created)
        throw new Problem(
          409,
          'too-many-maintenance-reports',
          'There are too many maintenance reports',
          { detail: `A vehicle has at most ${maxReportsOfVehicle} open ones: delete some first.` },
        );
      const reportId = created.id;
      await refreshMaintenance({ tx, clock }, provider.id, [vehicleId]);
      const { report, version } = await readReport(tx, provider, { vehicleId, reportId });
      const location = locationOf(provider, vehicleId, 'maintenance', reportId);
      return { status: 201, headers: { location, etag: etagOf(version) }, body: report };
    });
  },
});

const insertReport = `
  insert into maintenance_reports
    (provider, vehicle_id, source, created_at, updated_at, ${writtenColumns.map(([name]) => name).join(', ')})
  select $1, $2, 'manual', $3, $3, ${writtenColumns.map(([, type], index) => `$${index + 5}::${type}`).join(', ')}
  where (
    select count(*) from maintenance_reports
    where provider = $1 and vehicle_id = $2 and source = 'manual' and closed_at is null
  ) < $4
  returning id`;
