import { useHotkeys } from '@mantine/hooks';
import type { Vehicle } from '@motorpool/client';
import { useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { LngLatBounds, type MapLibre, Popup } from '../../map/map-libre.ts';
import { MapView } from '../../map/map-view.tsx';
import { VehicleOverlay } from '../../map/vehicle-overlay.ts';
import { useTexts } from '../../texts/texts-provider.tsx';
import { useNow } from '../../values/now.ts';
import type { Place } from './place.ts';
import { VehicleCard } from './vehicle-card.tsx';

type Props = {
  vehicles: readonly Vehicle[] | undefined;
  place: Place | undefined;
  selected: Vehicle | undefined;
  onSelect(id: string | undefined): void;
  onMove(map: MapLibre): void;
  onReady(map: MapLibre | undefined): void;
};

/** The vehicles on the map, as they move. */
export function FleetMap({ vehicles, place, selected, onSelect, onMove, onReady }: Props) {
  const { map: texts } = useTexts();
  const now = useNow();
  const [overlay, setOverlay] = useState<VehicleOverlay>();
  const [map, setMap] = useState<MapLibre>();
  const select = useEffectEvent(onSelect);
  const move = useEffectEvent(onMove);
  useHotkeys([['Escape', () => onSelect(undefined)]]);

  const begin = (created: MapLibre) => {
    const drawn = new VehicleOverlay(created);
    setOverlay(drawn);
    setMap(created);
    onReady(created);
    created.on('click', async ({ point }) => select(await drawn.open(point)));
    created.on('moveend', () => move(created));
    created.on('mousemove', ({ point }) => {
      if (created.isMoving()) return;
      created.getCanvas().style.cursor = drawn.isAt(point) ? 'pointer' : '';
    });
    return () => onReady(undefined);
  };

  useEffect(() => {
    if (vehicles) overlay?.show(vehicles, now);
  }, [overlay, vehicles, now]);
  useEffect(() => overlay?.select(selected?.asset.id), [overlay, selected]);

  return (
    <MapView
      label={texts.label}
      {...place}
      onMap={begin}
      onStyle={(scheme) => overlay?.addTo(scheme)}
    >
      {map && selected?.status.location && (
        <CardOnMap map={map} vehicle={selected} onClose={() => onSelect(undefined)} />
      )}
    </MapView>
  );
}

type CardProps = { map: MapLibre; vehicle: Vehicle; onClose(): void };

/** Follows the vehicle. */
function CardOnMap({ map, vehicle, onClose }: CardProps) {
  const [content] = useState(() => document.createElement('div'));
  const [popup] = useState(() =>
    new Popup({
      closeButton: false,
      closeOnClick: false,
      focusAfterOpen: false,
      offset: 20,
      maxWidth: 'none',
    }).setDOMContent(content),
  );
  const { location } = vehicle.status;
  useEffect(() => {
    if (location) popup.setLngLat(location);
  }, [popup, location]);
  useEffect(() => {
    popup.addTo(map);
    return () => {
      popup.remove();
    };
  }, [popup, map]);
  return createPortal(<VehicleCard vehicle={vehicle} onClose={onClose} />, content);
}

export function boundsOf(vehicles: readonly Vehicle[]): LngLatBounds | undefined {
  const bounds = new LngLatBounds();
  for (const { status } of vehicles) if (status.location) bounds.extend(status.location);
  return bounds.isEmpty() ? undefined : bounds;
}
