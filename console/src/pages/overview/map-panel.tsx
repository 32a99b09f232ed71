import { useInViewport } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Geometry } from 'geojson';
import { useEffect, useState } from 'react';
import { InlineProblem } from '../../feedback/problem.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { Panel } from '../../layout/panel.tsx';
import borders from '../../map/base-map-data/borders-sketch.json?url';
import land from '../../map/base-map-data/land-sketch.json?url';
import { FleetSketch } from '../../map/sketch/fleet-sketch.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import classes from './overview-page.module.css';

const maxDrawn = 1_000;

/** Where the vehicles are; loaded when it is seen, and after what was asked for first. */
export function MapPanel() {
  const { overview } = useTexts();
  const formats = useFormats();
  const { ref, inViewport } = useInViewport<HTMLAnchorElement>();
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => {
    if (!inViewport) return;
    const timer = setTimeout(() => setIsWanted(true), 300);
    return () => clearTimeout(timer);
  }, [inViewport]);
  const { data, error } = useLocatedVehicles(isWanted);
  const { data: outlines } = useQuery({
    queryKey: ['outlines'],
    queryFn: async ({ signal }) => ({
      land: await read(land, signal),
      borders: await read(borders, signal),
    }),
    enabled: isWanted,
    // Without coasts there are still the vehicles.
    throwOnError: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const total = data?.pagination.totalEntries ?? 0;
  const shown = data?.items.length ?? 0;
  const caption =
    shown < total
      ? overview.someOnMap(formats.number(shown), formats.number(total))
      : overview.allOnMap(total, formats.number(total));
  return (
    <Panel title={overview.map}>
      {error && !data ? (
        <InlineProblem error={error} />
      ) : data && total === 0 ? (
        <p className={classes.quiet}>{overview.noPositions}</p>
      ) : (
        <>
          <Link to="/map" ref={ref} className={classes.map}>
            <span className={classes.hidden}>{overview.openMap}</span>
            <FleetSketch vehicles={data?.items ?? []} outlines={outlines} />
          </Link>
          <p className={classes.quiet}>{data ? caption : '\u00a0'}</p>
        </>
      )}
    </Panel>
  );
}

/** Those heard of last; of a large fleet not all. Their statuses are renewed by the stream of events. */
function useLocatedVehicles(enabled: boolean) {
  const fleet = useFleet();
  const request = {
    filters: [{ field: 'status.location', operator: 'exists' as const, value: true }],
    sorting: [{ field: 'status.lastUpdated', direction: 'desc' as const }],
    pagination: { pageSize: maxDrawn },
  };
  return useQuery({
    queryKey: queryKey('vehicle', 'page', 'sketch'),
    queryFn: ({ signal }) => fleet.vehicles.find(request, { signal }).page(),
    enabled,
    staleTime: 60_000,
  });
}

async function read(path: string, signal: AbortSignal): Promise<Geometry> {
  const response = await fetch(path, { signal });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}
