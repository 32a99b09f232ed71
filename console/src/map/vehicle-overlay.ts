import type { Vehicle } from '@motorpool/client';
import type { Feature, FeatureCollection, Point } from 'geojson';
import type { ExpressionSpecification, GeoJSONSourceDiff, LayerSpecification } from 'maplibre-gl';
import { plateOf } from '../values/vehicle-names.ts';
import { type StateName, stateLooks, stateOf } from '../values/vehicle-state.tsx';
import { mapColours, mapFont, mapFontBold, type Scheme } from './map-colours.ts';
import { ringParts, ringTones } from './map-images.ts';
import type { GeoJSONSource, MapLibre } from './map-libre.ts';

/** What the map has of a vehicle. */
type Drawn = { plate: string; state: StateName; lat: number; lng: number };

type ScreenPoint = { x: number; y: number };

const clusterRadius = 44;
const clusterMaxZoom = 13;
const noVehicles: FeatureCollection = { type: 'FeatureCollection', features: [] };

/** The vehicles on a map: clustered, by state, and moved without being drawn anew. */
export class VehicleOverlay {
  readonly #map: MapLibre;
  #drawn = new Map<string, Drawn>();
  #selected: string | undefined;

  constructor(map: MapLibre) {
    this.#map = map;
  }

  /** Into a style that has just been loaded. */
  addTo(scheme: Scheme): void {
    const map = this.#map;
    map.addSource('vehicles', {
      type: 'geojson',
      data: { type: 'FeatureCollection', features: [...this.#drawn].map(featureOf) },
      promoteId: 'id',
      cluster: true,
      clusterRadius,
      clusterMaxZoom,
      clusterProperties: Object.fromEntries(
        ringTones.map((tone) => [
          tone,
          ['+', ['case', ['in', ['get', 'state'], ['literal', statesOf(tone)]], 1, 0]],
        ]),
      ),
    });
    map.addSource('selected', { type: 'geojson', data: this.#selectedData() });
    for (const layer of layers(scheme)) map.addLayer(layer);
  }

  show(vehicles: readonly Vehicle[], now: number): void {
    const next = new Map<string, Drawn>();
    for (const vehicle of vehicles) {
      const { location } = vehicle.status;
      if (!location) continue;
      const drawn = { plate: plateOf(vehicle), state: stateOf(vehicle, now), ...location };
      next.set(vehicle.asset.id, drawn);
    }
    const diff = differenceOf(this.#drawn, next);
    this.#drawn = next;
    const source = this.#map.getSource<GeoJSONSource>('vehicles');
    if (!source || !diff) return;
    void source.updateData(diff);
    void this.#map.getSource<GeoJSONSource>('selected')?.setData(this.#selectedData());
  }

  select(id: string | undefined): void {
    this.#selected = id;
    void this.#map.getSource<GeoJSONSource>('selected')?.setData(this.#selectedData());
  }

  isAt(point: ScreenPoint): boolean {
    return this.#featureAt(point) !== undefined;
  }

  /** What is at a point of the screen: a vehicle, or a cluster that is then taken apart. */
  async open(point: ScreenPoint): Promise<string | undefined> {
    const found = this.#featureAt(point);
    if (!found) return undefined;
    const { cluster_id: cluster, id } = found.properties;
    if (cluster === undefined) return String(id);
    const zoom = await this.#map
      .getSource<GeoJSONSource>('vehicles')
      ?.getClusterExpansionZoom(Number(cluster));
    const [lng = 0, lat = 0] = (found.geometry as Point).coordinates;
    this.#map.easeTo({ center: [lng, lat], zoom: zoom ?? this.#map.getZoom() + 2 });
    return undefined;
  }

  #featureAt({ x, y }: ScreenPoint) {
    const layers = ['selected', 'vehicles', 'clusters'].filter((id) => this.#map.getLayer(id));
    return this.#map.queryRenderedFeatures([x, y], { layers })[0];
  }

  #selectedData(): FeatureCollection {
    const drawn = this.#selected && this.#drawn.get(this.#selected);
    return drawn
      ? { type: 'FeatureCollection', features: [featureOf([this.#selected ?? '', drawn])] }
      : noVehicles;
  }
}

const statesOf = (tone: string) =>
  Object.entries(stateLooks)
    .filter(([, look]) => look.tone === tone)
    .map(([name]) => name);

function featureOf([id, { lat, lng, plate, state }]: [string, Drawn]): Feature<Point> {
  return {
    type: 'Feature',
    id,
    properties: { id, plate, state },
    geometry: { type: 'Point', coordinates: [lng, lat] },
  };
}

/** What turns one into the other; undefined when they are the same. */
function differenceOf(
  before: ReadonlyMap<string, Drawn>,
  after: ReadonlyMap<string, Drawn>,
): GeoJSONSourceDiff | undefined {
  const remove = [...before.keys()].filter((id) => !after.has(id));
  const changed = [...after].filter(([id, next]) => {
    const last = before.get(id);
    return (
      last?.lat !== next.lat ||
      last.lng !== next.lng ||
      last.state !== next.state ||
      last.plate !== next.plate
    );
  });
  if (remove.length === 0 && changed.length === 0) return undefined;
  // What is added under an id that is there takes its place.
  return { remove, add: changed.map(featureOf) };
}

function layers(scheme: Scheme): LayerSpecification[] {
  const { text, halo, tones } = mapColours[scheme];
  const marker: ExpressionSpecification = ['concat', `marker/${scheme}/`, ['get', 'state']];
  const label = {
    'text-font': mapFont,
    'text-size': 12,
    'text-offset': [0, 1.3] as [number, number],
    'text-anchor': 'top' as const,
    'text-optional': true,
  };
  const paint = { 'text-color': text, 'text-halo-color': halo, 'text-halo-width': 1.5 };
  return [
    {
      id: 'clusters',
      type: 'symbol',
      source: 'vehicles',
      filter: ['has', 'point_count'],
      layout: {
        'icon-image': clusterImage(scheme),
        'icon-allow-overlap': true,
        'text-field': ['to-string', ['get', 'point_count_abbreviated']],
        'text-font': mapFontBold,
        'text-size': 13,
        'text-allow-overlap': true,
      },
      paint: { 'text-color': text },
    },
    {
      id: 'vehicles',
      type: 'symbol',
      source: 'vehicles',
      filter: ['!', ['has', 'point_count']],
      layout: {
        ...label,
        'icon-image': marker,
        'icon-allow-overlap': true,
        'text-field': ['step', ['zoom'], '', 9, ['get', 'plate']],
      },
      paint,
    },
    {
      id: 'selected-ring',
      type: 'circle',
      source: 'selected',
      paint: {
        'circle-radius': 18,
        'circle-color': tones.info,
        'circle-opacity': 0.2,
        'circle-stroke-color': tones.info,
        'circle-stroke-width': 2.5,
      },
    },
    {
      id: 'selected',
      type: 'symbol',
      source: 'selected',
      layout: { 'icon-image': marker, 'icon-allow-overlap': true },
    },
  ];
}

/** Names the size and the parts of the ring, so that few images serve all clusters. */
function clusterImage(scheme: Scheme): ExpressionSpecification {
  const count: ExpressionSpecification = ['get', 'point_count'];
  const parts = ringTones.flatMap((tone): ExpressionSpecification[] => [
    [
      'to-string',
      [
        'case',
        ['==', ['get', tone], 0],
        0,
        ['max', 1, ['floor', ['*', ringParts, ['/', ['get', tone], count]]]],
      ],
    ],
  ]);
  const size: ExpressionSpecification = ['step', count, '0', 20, '1', 200, '2'];
  const separated = parts.flatMap((part) => ['/', part]);
  return ['concat', `cluster/${scheme}/`, size, ...separated] as ExpressionSpecification;
}
