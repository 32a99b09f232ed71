import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { severities } from '../../damage-atlas/damage.ts';
import { queryKey } from '../../fleet/queries.ts';
import { Panel } from '../../layout/panel.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { Severity } from '../incident/severity.tsx';
import { incidentsRequest } from '../incidents/incidents-request.ts';
import { severityFilter } from './incident-filters.ts';
import classes from './overview-page.module.css';

type Level = (typeof severities)[number];

/** Open incidents by the severity of their damages, the worst first. */
export function SeverityPanel() {
  const { overview } = useTexts();
  return (
    <Panel title={overview.bySeverity}>
      <nav className={classes.severities} aria-label={overview.bySeverity}>
        {severities.toReversed().map((level) => (
          <SeverityCount key={level} level={level} />
        ))}
      </nav>
    </Panel>
  );
}

function SeverityCount({ level }: { level: Level }) {
  const formats = useFormats();
  const fleet = useFleet();
  const filter = severityFilter(level);
  const { data } = useQuery({
    queryKey: queryKey('incident', 'count', level),
    queryFn: async ({ signal }) => {
      const request = { ...incidentsRequest({ filter }), pagination: { pageSize: 1 } };
      const page = await fleet.incidents.findInFleet(request, { signal }).page();
      return page.pagination.totalEntries;
    },
  });
  return (
    <Link to="/incidents" search={{ filter }} className={classes.severity}>
      <Severity level={level} />
      <strong>{data !== undefined && formats.number(data)}</strong>
    </Link>
  );
}
