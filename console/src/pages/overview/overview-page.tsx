import { Problem } from '../../feedback/problem.tsx';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { CostPanel } from './cost-panel.tsx';
import { Counts } from './counts.tsx';
import { EnergyPanel } from './energy-panel.tsx';
import { FailedJobsPanel } from './failed-jobs-panel.tsx';
import { MapPanel } from './map-panel.tsx';
import { useNeeds } from './needs.ts';
import { NeedsPanel } from './needs-panel.tsx';
import classes from './overview-page.module.css';
import { SeverityPanel } from './severity-panel.tsx';

/** What needs somebody today. */
export function OverviewPage() {
  const { pages } = useTexts();
  const { found, error, refetch } = useNeeds();
  const isEmpty = Object.values(found).every((one) => one === undefined);
  return (
    <Page title={pages.overview}>
      {error && isEmpty ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Counts found={found} />
          <div className={classes.columns}>
            <NeedsPanel found={found} />
            <div className={classes.months}>
              <FailedJobsPanel />
              <MapPanel />
              <SeverityPanel />
              <CostPanel />
              <EnergyPanel />
            </div>
          </div>
        </>
      )}
    </Page>
  );
}
