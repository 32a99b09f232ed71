import { Button } from '@mantine/core';
import type { MaintenanceReport, Vehicle } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Problem } from '../../feedback/problem.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { Icon } from '../../icons/icon.tsx';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { Panel } from '../../layout/panel.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import { useLocalization } from '../../texts/texts-provider.tsx';
import { MaintenanceState } from '../../values/maintenance-state.tsx';
import { useNow } from '../../values/now.ts';
import { DueDay } from '../maintenance/due-day.tsx';
import { dueReasons } from '../maintenance/due-reasons.ts';
import { soonestOf } from '../maintenance/maintenance-search.ts';
import { PlanDialog } from '../maintenance/plan-dialog.tsx';
import { ReportPanel } from '../maintenance/report-panel.tsx';
import classes from './maintenance-tab.module.css';
import { VehicleTimeLine } from './time-line/vehicle-time-line.tsx';
import { useTabSearch } from './use-tab-search.ts';

/** What is planned for a vehicle, with the reason for each day, between what happened and what is to come. */
export function MaintenanceTab({ vehicle }: { vehicle: Vehicle }) {
  const { texts } = useLocalization();
  const fleet = useFleet();
  const mayEdit = useMay('editor');
  const navigate = useNavigate();
  const { id: vehicleId } = vehicle.asset;
  const { report: openReport } = useTabSearch();
  const [isPlanning, setIsPlanning] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: queryKey('maintenance-report', 'of-vehicle', vehicleId),
    queryFn: ({ signal }) =>
      fleet.maintenance.find(vehicleId, { pagination: { pageSize: 100 } }, { signal }).toArray(),
  });
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />;
  const plan = mayEdit && (
    <Button
      variant="default"
      leftSection={<Icon name="plus" size={16} />}
      onClick={() => setIsPlanning(true)}
    >
      {texts.maintenance.plan}
    </Button>
  );
  return (
    <div className={classes.stack}>
      <VehicleTimeLine vehicleId={vehicleId} reports={data ?? []} />
      <Panel
        title={texts.vehicle.planned}
        count={data?.length}
        actions={data?.length ? plan : null}
      >
        {!data ? (
          <Delayed>
            <Bone width="60%" />
          </Delayed>
        ) : data.length === 0 ? (
          <EmptyState icon="wrench" {...texts.maintenance.none}>
            {plan}
          </EmptyState>
        ) : (
          <ul className={classes.reports}>
            {data.map((report) => (
              <ReportItem key={report.id} report={report} odometer={vehicle.status.odometer} />
            ))}
          </ul>
        )}
      </Panel>
      {typeof openReport === 'string' && (
        <ReportPanel
          vehicleId={vehicleId}
          reportId={openReport}
          onClose={() =>
            void navigate({
              to: '/vehicles/$vehicleId/$tab',
              params: { vehicleId, tab: 'maintenance' },
              replace: true,
            })
          }
        />
      )}
      {isPlanning && <PlanDialog vehicleId={vehicleId} onClose={() => setIsPlanning(false)} />}
    </div>
  );
}

type ItemProps = { report: MaintenanceReport; odometer: number | undefined };

function ReportItem({ report, odometer }: ItemProps) {
  const { texts, formats } = useLocalization();
  const fleet = useFleet();
  const now = useNow();
  const { id, vehicleId, dueOdometer } = report;
  const { data: inspection } = useQuery({
    queryKey: queryKey('inspection', 'one', vehicleId),
    queryFn: ({ signal }) => fleet.inspection.get(vehicleId, { signal }),
    enabled: report.source === 'inspection',
  });
  const day = soonestOf(report);
  return (
    <li>
      <div className={classes.head}>
        <AnchorLink
          to="/vehicles/$vehicleId/$tab"
          params={{ vehicleId, tab: 'maintenance' }}
          search={{ report: id }}
          fw={500}
        >
          {report.title}
        </AnchorLink>
        <MaintenanceState report={report} odometer={odometer} />
        <span className={classes.due}>
          <DueDay report={report} />
          <span className={classes.quiet}>
            {[
              day && formats.days(day, now),
              dueOdometer !== undefined && texts.vehicle.at(formats.kilometres(dueOdometer)),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
      </div>
      <ul className={classes.why} aria-label={texts.maintenance.why}>
        {dueReasons(report, { texts, formats }, inspection).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </li>
  );
}
