import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { Icon, type IconName } from '../../icons/icon.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import type { StateTone } from '../../values/state-badge.tsx';
import { vehiclesRequest } from '../vehicles/vehicles-request.ts';
import { type FleetPart, fleetFilters } from './fleet-filters.ts';
import { type NeedKind, needKinds, needLooks } from './need-kinds.ts';
import classes from './overview-page.module.css';

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
          link={
            kind === 'batteryLow'
              ? { to: '/vehicles', search: { filter: fleetFilters.batteryLow } }
              : { to: '/', search: { kind } }
          }
        />
      ))}
      {fleetParts.map((part) => (
        <FleetCount key={part.part} {...part} />
      ))}
    </nav>
  );
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
      link={{ to: '/vehicles', search: { filter: fleetFilters[part] } }}
    />
  );
}

type CountProps = {
  label: string;
  total: number | undefined;
  tone: StateTone;
  icon: IconName;
  link: Pick<LinkProps, 'to' | 'search'>;
};

function Count({ label, total, tone, icon, link }: CountProps) {
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
    </Link>
  );
}
