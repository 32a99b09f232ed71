import type { FailedJob } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { usePlates } from '../../fleet/named-vehicles.ts';
import { queryKey } from '../../fleet/queries.ts';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { Panel } from '../../layout/panel.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { Age } from '../../values/age.tsx';
import classes from './overview-page.module.css';

const days = 7;
const mostShown = 5;

/** Work of the service that has failed for good, with the records that it was for. Only administrators may know. */
export function FailedJobsPanel() {
  const { overview } = useTexts();
  const fleet = useFleet();
  const mayKnow = useMay('admin');
  const { data } = useQuery({
    queryKey: queryKey('failed-job', 'recent'),
    queryFn: ({ signal }) => {
      const since = new Date(Date.now() - days * 86_400_000).toISOString();
      const filters = [{ field: 'updatedAt', operator: 'gte' as const, value: since }];
      const pagination = { pageSize: mostShown };
      return fleet.failedJobs.find({ filters, pagination }, { signal }).page();
    },
    enabled: mayKnow,
    refetchInterval: 60_000,
  });
  const items = data?.items ?? [];
  const plateById = usePlates(items.map(({ vehicleId }) => vehicleId));
  if (!data || items.length === 0) return null;
  return (
    <Panel title={overview.failedJobs} count={data.pagination.totalEntries}>
      <ul className={classes.needs}>
        {items.map((job) => (
          <li key={job.id}>
            <FailedJobLink job={job} plate={job.vehicleId && plateById(job.vehicleId)} />
            <span className={classes.needDetail}>
              <Age at={job.updatedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Opens the record, where its work can be asked for again. */
function FailedJobLink({ job, plate }: { job: FailedJob; plate: string | undefined }) {
  const { overview, jobs } = useTexts();
  const { vehicleId, incidentId, invoiceId } = job;
  const what = jobs[job.job as keyof typeof jobs] ?? overview.otherJob(job.job);
  const text = [plate, what].filter(Boolean).join(' · ');
  const look = { className: classes.needTitle, title: text, c: 'inherit' };
  if (invoiceId)
    return (
      <AnchorLink to="/invoices/$invoiceId" params={{ invoiceId }} {...look}>
        {text}
      </AnchorLink>
    );
  if (vehicleId && incidentId)
    return (
      <AnchorLink
        to="/incidents/$vehicleId/$incidentId"
        params={{ vehicleId, incidentId }}
        {...look}
      >
        {text}
      </AnchorLink>
    );
  if (vehicleId)
    return (
      <AnchorLink to="/vehicles/$vehicleId" params={{ vehicleId }} {...look}>
        {text}
      </AnchorLink>
    );
  return <span className={classes.needTitle}>{text}</span>;
}
