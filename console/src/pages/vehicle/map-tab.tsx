import { Button } from '@mantine/core';
import type { Vehicle } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Problem } from '../../feedback/problem.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { boundsOfDay, dayOf, parseDay } from '../../formats/days.ts';
import { findStops, trackOf } from '../../map/find-stops.ts';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { DayChooser } from './day-chooser.tsx';
import classes from './map-tab.module.css';
import { StopList } from './stop-list.tsx';
import { TrackMap } from './track-map.tsx';

/** Where the vehicle is, and the way of a day with its stops. */
export function MapTab({ vehicle }: { vehicle: Vehicle }) {
  const { track: texts } = useTexts();
  const search: { day?: unknown } = useSearch({ strict: false });
  const today = dayOf(new Date());
  const day = parseDay(search.day) ?? today;
  const navigate = useNavigate();
  const setDay = (next: string) =>
    void navigate({
      to: '/vehicles/$vehicleId/$tab',
      params: { vehicleId: vehicle.asset.id, tab: 'map' },
      search: next === today ? {} : { day: next },
      resetScroll: false,
    });
  const [selected, setSelected] = useState(-1);
  const { data, error, refetch } = useTrack(vehicle.asset.id, day, day === today);
  if (vehicle.information.trackGeolocation === false)
    return <EmptyState icon="map-pin-off" {...texts.notStored} />;
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />;
  return (
    <div className={classes.tab}>
      <section className={classes.side} aria-label={texts.title}>
        <DayChooser
          day={day}
          today={today}
          onChange={(next) => {
            setSelected(-1);
            setDay(next);
          }}
        />
        {data?.points.length === 0 ? (
          <NoTrack vehicle={vehicle} day={day} onChange={setDay} />
        ) : (
          <StopList {...data} selected={selected} onSelect={setSelected} isToday={day === today} />
        )}
      </section>
      <TrackMap
        vehicle={vehicle}
        track={data}
        day={day}
        isToday={day === today}
        selected={selected}
        onSelect={setSelected}
      />
    </div>
  );
}

const refreshMs = 30_000;

function useTrack(vehicleId: string, day: string, isToday: boolean) {
  const fleet = useFleet();
  return useQuery({
    queryKey: queryKey('vehicle', 'track', vehicleId, day),
    queryFn: async ({ signal }) => {
      const items = await fleet.telemetry
        .history(
          vehicleId,
          {
            ...boundsOfDay(day),
            resolution: 'raw',
            fields: ['location', 'odometer'],
            pagination: { pageSize: 1_000 },
          },
          { signal },
        )
        .toArray();
      const points = trackOf(items);
      return { points, stops: findStops(points) };
    },
    refetchInterval: isToday ? refreshMs : false,
  });
}

type NoTrackProps = { vehicle: Vehicle; day: string; onChange(day: string): void };

function NoTrack({ vehicle, day, onChange }: NoTrackProps) {
  const { track: texts } = useTexts();
  const formats = useFormats();
  const { lastUpdated, location } = vehicle.status;
  const lastDay = lastUpdated && location && dayOf(new Date(lastUpdated));
  return (
    <EmptyState icon="route" {...texts.none}>
      {lastDay && lastDay !== day && (
        <Button variant="default" onClick={() => onChange(lastDay)}>
          {texts.lastDay(formats.date(lastDay))}
        </Button>
      )}
    </EmptyState>
  );
}
