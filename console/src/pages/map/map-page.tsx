import { Button, Text } from '@mantine/core';
import type { Vehicle } from '@motorpool/client';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Problem } from '../../feedback/problem.tsx';
import { Page } from '../../frame/page.tsx';
import { Icon } from '../../icons/icon.tsx';
import { ButtonLink } from '../../layout/button-link.tsx';
import type { LngLatBounds, MapLibre } from '../../map/map-libre.ts';
import { useConnection } from '../../session/connection.tsx';
import { isNarrowed, SearchToolbar } from '../../table/search-toolbar.tsx';
import { definedOnly } from '../../table/table-search.ts';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { vehicleFields } from '../vehicles/vehicle-fields.ts';
import { boundsOf, FleetMap } from './fleet-map.tsx';
import { InViewPanel } from './in-view-panel.tsx';
import classes from './map-page.module.css';
import { formatPlace, parsePlace } from './place.ts';
import { type MapSearch, mapRoute } from './route.ts';
import { useMapVehicles } from './use-map-vehicles.ts';

/** Without streets, nothing is around a vehicle that is looked at from close. */
const closeZooms = { withStreets: 13, without: 9.5 };

export function MapPage() {
  const texts = useTexts();
  const formats = useFormats();
  const { settings } = useConnection();
  const search = mapRoute.useSearch();
  const navigate = useNavigate();
  const change = (next: Partial<MapSearch>) =>
    void navigate({
      to: '/map',
      search: (current: MapSearch) => definedOnly({ ...current, ...next }),
      replace: true,
      resetScroll: false,
    });
  const { data, error, refetch, isPlaceholderData } = useMapVehicles(search);
  const items = data?.items;
  const [map, setMap] = useState<MapLibre>();
  const [bounds, setBounds] = useState<LngLatBounds>();
  const [isListOpen, setIsListOpen] = useState(false);
  useFit(map, isPlaceholderData ? undefined : items, search);

  const placed = useMemo(() => items?.filter(({ status }) => status.location), [items]);
  const inView = useMemo(
    () =>
      placed?.filter(
        ({ status }) => !bounds || (status.location && bounds.contains(status.location)),
      ),
    [placed, bounds],
  );
  const selected = items?.find(({ asset }) => asset.id === search.vehicle);
  const goTo = (vehicle: Vehicle) => {
    change({ vehicle: vehicle.asset.id });
    setIsListOpen(false);
    const { location } = vehicle.status;
    const hasStreets = settings.map?.styleUrl ?? settings.map?.tiles;
    const close = hasStreets ? closeZooms.withStreets : closeZooms.without;
    if (location) map?.easeTo({ center: location, zoom: Math.max(map.getZoom(), close) });
  };
  const showAll = () => {
    const all = boundsOf(items ?? []);
    if (all) map?.fitBounds(all, fitting);
  };
  return (
    <Page
      fills
      title={texts.pages.map}
      aside={
        <Text c="dimmed" aria-live="polite">
          {items && texts.vehicles.count(items.length, formats.number(items.length))}
        </Text>
      }
    >
      <div className={classes.stage}>
        <SearchToolbar
          hint={texts.vehicles.searchHint}
          fields={vehicleFields(texts)}
          search={search}
          onChange={change}
          className={classes.toolbar}
        >
          <span className={classes.spring} />
          <Button
            variant="default"
            leftSection={<Icon name="map-pin" size={16} />}
            onClick={showAll}
            disabled={!map}
          >
            {texts.map.fit}
          </Button>
          <ButtonLink
            variant="default"
            to="/vehicles"
            search={definedOnly({ q: search.q, filter: search.filter })}
            leftSection={<Icon name="list" size={16} />}
          >
            {texts.map.asList}
          </ButtonLink>
        </SearchToolbar>
        {error && !data ? (
          <Problem error={error} onRetry={() => void refetch()} />
        ) : items?.length === 0 && !isNarrowed(search) ? (
          <EmptyState icon="car" {...texts.vehicles.none} />
        ) : (
          <div className={classes.parts}>
            <FleetMap
              vehicles={items}
              place={parsePlace(search.at ?? '')}
              selected={selected}
              onSelect={(vehicle) => change({ vehicle })}
              onReady={setMap}
              onMove={(moved) => {
                const { lat, lng } = moved.getCenter();
                setBounds(moved.getBounds());
                // Another page may be on its way, which this would call back.
                if (location.pathname.endsWith('/map'))
                  change({ at: formatPlace(moved.getZoom(), lat, lng) });
              }}
            />
            <aside
              className={classes.panel}
              data-open={isListOpen || undefined}
              aria-label={texts.map.inView}
            >
              <InViewPanel
                vehicles={inView}
                withoutPosition={(items?.length ?? 0) - (placed?.length ?? 0)}
                selected={selected?.asset.id}
                onSelect={goTo}
              />
            </aside>
            <Button
              className={classes.sheetButton}
              variant="default"
              aria-expanded={isListOpen}
              leftSection={<Icon name={isListOpen ? 'map' : 'list'} size={16} />}
              onClick={() => setIsListOpen(!isListOpen)}
            >
              {isListOpen ? texts.map.hideList : texts.map.showList}
            </Button>
          </div>
        )}
      </div>
    </Page>
  );
}

const fitting = { padding: 64, maxZoom: 12 };

/** Shows all that was found, when something else is looked for; an address that names a place keeps it. */
function useFit(
  map: MapLibre | undefined,
  items: readonly Vehicle[] | undefined,
  search: MapSearch,
) {
  const wanted = JSON.stringify([search.q, search.filter]);
  const fitted = useRef(search.at === undefined ? undefined : wanted);
  useEffect(() => {
    if (!map || !items || fitted.current === wanted) return;
    const all = boundsOf(items);
    if (all) map.fitBounds(all, { ...fitting, animate: fitted.current !== undefined });
    fitted.current = wanted;
  }, [map, items, wanted]);
}
