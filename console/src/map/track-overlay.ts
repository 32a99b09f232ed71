import type { Feature, FeatureCollection } from 'geojson';
import type { Stop, TrackPoint } from './find-stops.ts';
import { mapColours, mapFontBold, type Scheme } from './map-colours.ts';
import { type GeoJSONSource, LngLatBounds, type MapLibre } from './map-libre.ts';

/** The way of a vehicle with its numbered stops. */
export class TrackOverlay {
  readonly #map: MapLibre;
  #data: FeatureCollection = { type: 'FeatureCollection', features: [] };
  #selected = -1;

  constructor(map: MapLibre) {
    this.#map = map;
  }

  addTo(scheme: Scheme): void {
    const map = this.#map;
    const { tones, card, onTone } = mapColours[scheme];
    map.addSource('track', { type: 'geojson', data: this.#data });
    const line = { 'line-cap': 'round', 'line-join': 'round' } as const;
    map.addLayer({
      id: 'track-casing',
      type: 'line',
      source: 'track',
      layout: line,
      paint: { 'line-color': card, 'line-width': 7 },
    });
    map.addLayer({
      id: 'track',
      type: 'line',
      source: 'track',
      layout: line,
      paint: { 'line-color': tones.info, 'line-width': 3.5 },
    });
    map.addLayer({
      id: 'stops',
      type: 'circle',
      source: 'track',
      filter: ['has', 'number'],
      paint: {
        'circle-radius': ['case', ['get', 'selected'], 14, 10],
        'circle-color': tones.neutral,
        'circle-stroke-color': ['case', ['get', 'selected'], tones.info, card],
        'circle-stroke-width': ['case', ['get', 'selected'], 3, 1.5],
      },
    });
    map.addLayer({
      id: 'stop-numbers',
      type: 'symbol',
      source: 'track',
      filter: ['has', 'number'],
      layout: {
        'text-field': ['to-string', ['get', 'number']],
        'text-font': mapFontBold,
        'text-size': 11,
        'text-allow-overlap': true,
      },
      paint: { 'text-color': onTone },
    });
  }

  /** Shows a track, and the whole of it. */
  show(points: readonly TrackPoint[], stops: readonly Stop[], selected: number): void {
    const way: Feature = {
      type: 'Feature',
      properties: {},
      geometry: { type: 'LineString', coordinates: points.map(({ lng, lat }) => [lng, lat]) },
    };
    const marks = stops.map(
      ({ lng, lat }, index): Feature => ({
        type: 'Feature',
        properties: { number: index + 1, selected: index === selected },
        geometry: { type: 'Point', coordinates: [lng, lat] },
      }),
    );
    this.#data = {
      type: 'FeatureCollection',
      features: [...(points.length > 1 ? [way] : []), ...marks],
    };
    void this.#map.getSource<GeoJSONSource>('track')?.setData(this.#data);
    const stop = stops[selected];
    if (stop && selected !== this.#selected) this.#map.easeTo({ center: stop });
    this.#selected = selected;
  }

  fit(points: readonly TrackPoint[]): void {
    const bounds = new LngLatBounds();
    for (const point of points) bounds.extend(point);
    if (!bounds.isEmpty())
      this.#map.fitBounds(bounds, { padding: 56, maxZoom: 13, animate: false });
  }

  /** The stop at a point of the screen. */
  stopAt({ x, y }: { x: number; y: number }): number | undefined {
    if (!this.#map.getLayer('stops')) return undefined;
    const [found] = this.#map.queryRenderedFeatures([x, y], { layers: ['stops'] });
    return found && Number(found.properties.number) - 1;
  }
}
