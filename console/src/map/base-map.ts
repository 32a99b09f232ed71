import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import type { Language } from '../texts/languages.ts';
import borders10 from './base-map-data/borders-10m.json?url';
import borders50 from './base-map-data/borders-50m.json?url';
import borders110 from './base-map-data/borders-110m.json?url';
import lakes from './base-map-data/lakes.json?url';
import land10 from './base-map-data/land-10m.json?url';
import land50 from './base-map-data/land-50m.json?url';
import land110 from './base-map-data/land-110m.json?url';
import places from './base-map-data/places.json?url';
import rivers from './base-map-data/rivers.json?url';
import urbanAreas from './base-map-data/urban-areas.json?url';
import { mapColours, mapFont, mapFontBold, type Scheme } from './map-colours.ts';
import type { GeoJSONSource, MapLibre } from './map-libre.ts';

/** By the zoom from which they are worth their size. */
const outlines = [
  { zoom: 0, land: land110, borders: borders110 },
  { zoom: 2.5, land: land50, borders: borders50 },
  { zoom: 5.5, land: land10, borders: borders10 },
];

const absolute = (path: string) => new URL(path, location.href).href;
const file = (path: string) => ({ type: 'geojson' as const, data: absolute(path) });

/** Coasts, borders, waters and towns of Natural Earth, from the service itself. */
export function baseMap(
  scheme: Scheme,
  language: Language,
  attribution: string,
): StyleSpecification {
  return {
    version: 8,
    sources: {
      land: { ...file(land110), attribution },
      borders: file(borders110),
      lakes: file(lakes),
      rivers: file(rivers),
      urban: file(urbanAreas),
      places: file(places),
    },
    layers: [...shapeLayers(scheme), ...labelLayers(scheme, language)],
  };
}

/** Loads finer outlines when they are looked at closely, and keeps them. */
export function refineOutlines(map: MapLibre): void {
  let current = 0;
  const refine = () => {
    const wanted = outlines.findLastIndex(({ zoom }) => map.getZoom() >= zoom);
    const next = outlines[wanted];
    const land = map.getSource<GeoJSONSource>('land');
    if (wanted <= current || !next || !land) return;
    current = wanted;
    void land.setData(absolute(next.land));
    void map.getSource<GeoJSONSource>('borders')?.setData(absolute(next.borders));
  };
  map.on('style.load', () => {
    current = 0;
    refine();
  });
  map.on('zoomend', refine);
}

const isDue = ['<=', ['get', 'zoom'], ['+', ['zoom'], 1]];

function shapeLayers(scheme: Scheme): LayerSpecification[] {
  const { water, land, urban, border } = mapColours[scheme];
  return [
    { id: 'water', type: 'background', paint: { 'background-color': water } },
    { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': land } },
    {
      id: 'urban',
      type: 'fill',
      source: 'urban',
      minzoom: 4,
      paint: {
        'fill-color': urban,
        'fill-antialias': false,
        'fill-opacity': ['interpolate', ['linear'], ['zoom'], 4, 0, 6, 1],
      },
    },
    {
      id: 'rivers',
      type: 'line',
      source: 'rivers',
      minzoom: 3,
      filter: isDue as never,
      paint: {
        'line-color': water,
        'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.5, 8, 1.6, 12, 4],
      },
    },
    {
      id: 'lakes',
      type: 'fill',
      source: 'lakes',
      minzoom: 2,
      filter: isDue as never,
      paint: { 'fill-color': water },
    },
    {
      id: 'borders',
      type: 'line',
      source: 'borders',
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': border,
        'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.5, 6, 1.2, 10, 2],
        'line-dasharray': [4, 2],
      },
    },
  ];
}

function labelLayers(scheme: Scheme, language: Language): LayerSpecification[] {
  const { label, halo, border } = mapColours[scheme];
  const paint = { 'text-color': label, 'text-halo-color': halo, 'text-halo-width': 1.4 };
  return [
    {
      id: 'cities',
      type: 'symbol',
      source: 'places',
      minzoom: 4,
      filter: ['all', ['has', 'name'], isDue] as never,
      layout: {
        'text-field':
          language === 'de' ? ['coalesce', ['get', 'de'], ['get', 'name']] : ['get', 'name'],
        'text-font': mapFont,
        'text-size': ['interpolate', ['linear'], ['zoom'], 4, 10.5, 10, 14],
        'text-padding': 6,
        'symbol-sort-key': ['get', 'zoom'],
      },
      paint,
    },
    {
      id: 'countries',
      type: 'symbol',
      source: 'places',
      minzoom: 2,
      maxzoom: 7,
      filter: ['all', ['has', 'country'], isDue] as never,
      layout: {
        'text-field': countryNames(language) as never,
        'text-font': mapFontBold,
        'text-size': ['interpolate', ['linear'], ['zoom'], 2, 10, 6, 13],
        'text-letter-spacing': 0.08,
        'text-transform': 'uppercase',
        'text-max-width': 7,
        'symbol-sort-key': ['get', 'zoom'],
      },
      paint: { ...paint, 'text-color': scheme === 'light' ? '#7b8794' : border },
    },
  ];
}

const regionCodes = /^[A-Z]{2}$/;

/** The browser knows the name of every country in every language. */
function countryNames(language: Language): unknown[] {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const known = letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => regionCodes.test(code) && names.of(code))
    .flatMap((code) => [code, names.of(code)]);
  return ['match', ['get', 'country'], ...known, ''];
}
