import type { Vehicle } from '@motorpool/client';
import { useEffect, useState } from 'react';
import type { Stop, TrackPoint } from '../../map/find-stops.ts';
import type { MapLibre } from '../../map/map-libre.ts';
import { MapView } from '../../map/map-view.tsx';
import { TrackOverlay } from '../../map/track-overlay.ts';
import { VehicleOverlay } from '../../map/vehicle-overlay.ts';
import { useTexts } from '../../texts/texts-provider.tsx';
import { useNow } from '../../values/now.ts';
import { plateOf } from '../../values/vehicle-names.ts';

type Track = { points: readonly TrackPoint[]; stops: readonly Stop[] };

type Props = {
  vehicle: Vehicle;
  track: Track | undefined;
  day: string;
  isToday: boolean;
  selected: number;
  onSelect(index: number): void;
};

type Overlays = { track: TrackOverlay; vehicle: VehicleOverlay };

const noVehicles: Vehicle[] = [];

/** The way of the day; of today also where the vehicle is now. */
export function TrackMap({ vehicle, track, day, isToday, selected, onSelect }: Props) {
  const { track: texts } = useTexts();
  const now = useNow();
  const [overlays, setOverlays] = useState<Overlays>();
  const [fitted, setFitted] = useState<string>();
  const begin = (map: MapLibre) => {
    const created = { track: new TrackOverlay(map), vehicle: new VehicleOverlay(map) };
    setOverlays(created);
    map.on('click', ({ point }) => onSelect(created.track.stopAt(point) ?? -1));
    map.on('mousemove', ({ point }) => {
      map.getCanvas().style.cursor = created.track.stopAt(point) === undefined ? '' : 'pointer';
    });
    return () => setOverlays(undefined);
  };

  useEffect(() => {
    if (!overlays || !track) return;
    overlays.track.show(track.points, track.stops, selected);
    if (fitted === day) return;
    setFitted(day);
    overlays.track.fit(track.points);
  }, [overlays, track, selected, fitted, day]);
  useEffect(() => {
    overlays?.vehicle.show(isToday ? [vehicle] : noVehicles, now);
  }, [overlays, vehicle, isToday, now]);

  const { location } = vehicle.status;
  return (
    <MapView
      label={texts.label(plateOf(vehicle))}
      center={location && [location.lng, location.lat]}
      zoom={location && 12}
      onMap={begin}
      onStyle={(scheme) => {
        overlays?.track.addTo(scheme);
        overlays?.vehicle.addTo(scheme);
      }}
    />
  );
}
