import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { SparkLine } from '../../charts/spark-line.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { Icon, type IconName } from '../../icons/icon.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import type { StateTone } from '../../values/state-badge.tsx';
import { vehiclesRequest } from '../vehicles/vehicles-request.ts';
import { type FleetPart, fleetFilters } from './fleet-filters.ts';
import { incidentFilters } from './incident-filters.ts';
import { type NeedKind, needKinds, needLooks } from './need-kinds.ts';
import classes from './overview-page.module.css';
import { type Counted, trendOf } from './trends.ts';

type Props = { found: Record<NeedKind, { total: number } | undefined> };

const fleetParts: { part: Exclude<FleetPart, 'batteryLow'>; tone: StateTone; icon: IconName }[] = [
  { part: 'silent', tone: 'warning', icon: 'wifi-off' },
  { part: 'charging', tone: 'good', icon: 'zap' },
  { part: 'driving', tone: 'info', icon: 'ship-wheel' },
  { part: 'inService', tone: 'neutral', icon: 'car' },
];

/** The numbers that matter, each of which opens the list behind it. */
export function Counts({ found }: Props) {
  const { overview } = useTexts();
  return (
    <nav className={classes.counts} aria-label={overview.counts}>
      {needKinds.map((kind) => (
        <Count
          key={kind}
          label={overview.kinds[kind]}
          total={found[kind]?.total}
          {...needLooks[kind]}
          counted={kind}
          link={linkOf(kind)}
        />
      ))}
      {fleetParts.map((part) => (
        <FleetCount key={part.part} {...part} />
      ))}
    </nav>
  );
}

/** The list behind a number. */
function linkOf(kind: NeedKind): Pick<LinkProps, 'to' | 'search'> {
  if (kind === 'batteryLow')
    return { to: '/vehicles', search: { filter: fleetFilters.batteryLow } };
  if (kind === 'overdue') return { to: '/maintenance', search: { status: 'overdue' } };
  if (kind === 'dueSoon') return { to: '/maintenance', search: { status: 'due_soon' } };
  if (kind === 'invoice') return { to: '/invoices', search: { status: 'open' } };
  return { to: '/incidents', search: { filter: incidentFilters[kind] } };
}

function FleetCount({ part, tone, icon }: (typeof fleetParts)[number]) {
  const { overview } = useTexts();
  const fleet = useFleet();
  const { data } = useQuery({
    queryKey: queryKey('vehicle', 'count', part),
    queryFn: async ({ signal }) => {
      const request = vehiclesRequest({ filter: fleetFilters[part] });
      const page = await fleet.vehicles
        .find({ ...request, pagination: { pageSize: 1 } }, { signal })
        .page();
      return page.pagination.totalEntries;
    },
    refetchInterval: 30_000,
  });
  return (
    <Count
      label={overview.parts[part]}
      total={data}
      tone={tone}
      icon={icon}
      counted={part}
      link={{ to: '/vehicles', search: { filter: fleetFilters[part] } }}
    />
  );
}

type CountProps = {
  label: string;
  total: number | undefined;
  tone: StateTone;
  icon: IconName;
  counted: Counted;
  link: Pick<LinkProps, 'to' | 'search'>;
};

function Count({ label, total, tone, icon, counted, link }: CountProps) {
  const formats = useFormats();
  return (
    <Link {...link} className={classes.count} data-state={total ? tone : 'none'}>
      <span className={classes.countNumber}>
        {total === undefined ? (
          <Delayed>
            <Bone width={32} />
          </Delayed>
        ) : (
          formats.number(total)
        )}
        <Icon name={icon} size={16} />
      </span>
      <span className={classes.countLabel}>{label}</span>
      <TrendLine counted={counted} />
    </Link>
  );
}

/** How many were new this week, and against the week before. */
function TrendLine({ counted }: { counted: Counted }) {
  const { overview } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const { data } = useQuery(trendOf(fleet, counted));
  if (!data) return null;
  const change = formats.difference(data.week - data.before);
  const count = formats.number(data.week);
  const words = overview.trend(count, change);
  return (
    <span className={classes.trend} title={words}>
      <SparkLine values={data.days} />
      <span className={classes.hidden}>{words}</span>
      <span aria-hidden="true">{overview.trendShort(count)}</span>
    </span>
  );
}
